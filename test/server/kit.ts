import * as z from 'zod'
import { ProtocolError } from '../../src/index.ts'
import { McpServer, type McpServerOptions } from '../../src/server/index.ts'

/** A server with one of everything. */
export function kit(options: Partial<McpServerOptions> = {}): McpServer {
  const server = new McpServer({
    name: 'kit',
    version: '1.2.3',
    instructions: 'A server to test with.',
    onLog: () => {},
    ...options,
  })
  tools(server)
  rest(server)
  return server
}

function tools(server: McpServer): void {
  const readOnly = { readOnlyHint: true, idempotentHint: true }
  server.tool(
    'greet',
    {
      description: 'Greets somebody',
      params: { name: { type: 'string', required: true }, times: { type: 'integer', minimum: 1 } },
      annotations: readOnly,
    },
    ({ name, times = 1 }) => Array.from({ length: times }, () => `Hello, ${name}!`).join(' '),
  )
  server.tool('quiet', { title: 'Says nothing' }, () => [])
  server.tool('blocks', { description: 'One block of every kind' }, () => [
    { type: 'text', text: 'text' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'kit://link', name: 'link', size: 3 },
    { type: 'resource', resource: { uri: 'kit://embedded', text: 'embedded' } },
  ])
  server.tool(
    'sum',
    {
      inputSchema: z.object({ a: z.coerce.number().describe('one'), b: z.number().default(1) }),
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    },
    ({ a, b }) => ({ structuredContent: { sum: a + b } }),
  )
  server.tool('bare', { outputSchema: { type: 'array' } }, () => ({ structuredContent: [1, null] }))
  server.tool('liar', { outputSchema: { type: 'object' } }, () => ({ structuredContent: 'no object' }))
  server.tool('meta', {}, (_, { clientInfo }) => ({
    content: [{ type: 'text', text: typeof clientInfo?.name }],
    _meta: { 'kit/revision': 7 },
  }))
  server.tool('fails', {}, () => ({ content: [{ type: 'text', text: 'It went wrong' }], isError: true }))
  server.tool('throws', {}, () => {
    throw new Error('The disk is full')
  })
  server.tool('refuses', {}, () => {
    throw new ProtocolError({ code: 4711, message: 'Not today', data: { until: 'tomorrow' } })
  })
  server.tool('unwritable', {}, () => ({ content: [], structuredContent: 1n }))
  server.tool('shapeless', {}, () => 42 as never)
  server.tool('count', { params: { to: { type: 'integer', required: true } } }, ({ to }, context) => {
    for (let step = 1; step <= to; step++) {
      context.progress({ progress: step, total: to, message: `step ${step}` })
      context.log('info', { step })
      context.log('debug', 'deep down')
    }
    return `counted to ${to}`
  })
  server.tool(
    'wait',
    {},
    (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('aborted'), { once: true })
      }),
  )
}

function rest(server: McpServer): void {
  server.resource(
    'kit://text',
    { name: 'Text', mimeType: 'text/plain', ttlMs: 5_000, cacheScope: 'public' },
    () => 'some text',
  )
  server.resource('kit://bytes', { name: 'Bytes' }, () => Buffer.from('hi'))
  server.template(
    'kit://items/{id}{?verbose}',
    {
      name: 'Item',
      mimeType: 'text/plain',
      complete: { id: (value) => ['one', 'other'].filter((id) => id.startsWith(value)) },
    },
    ({ variables }) => JSON.stringify(variables),
  )
  server.prompt(
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
