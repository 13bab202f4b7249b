import type { Registrar } from '../../server/registration/registrar.ts'

/** What is read and rendered, and completed meanwhile. */
export function resourcesAndPrompts(registrar: Registrar): void {
  registrar.resource(
    'kit://text',
    { name: 'Text', mimeType: 'text/plain', ttlMs: 5_000, cacheScope: 'public' },
    () => 'some text',
  )
  registrar.resource('kit://bytes', { name: 'Bytes' }, () => Buffer.from('hi'))
  registrar.template(
    'kit://items/{id}{?verbose}',
    {
      name: 'Item',
      mimeType: 'text/plain',
      complete: { id: (value) => ['one', 'other'].filter((id) => id.startsWith(value)) },
    },
    ({ variables }) => JSON.stringify(variables),
  )
  registrar.prompt(
    'review',
    {
      description: 'Reviews code',
      arguments: [
        { name: 'code', required: true },
        { name: 'style', complete: (value, { code = '' }) => [`${value}-${code}`] },
      ],
    },
    ({ code, style = 'plain' }) => `Review in ${style}: ${code}`,
  )
}
