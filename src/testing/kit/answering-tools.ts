import { ProtocolError } from '../../errors.ts'
import type { Registrar } from '../../server/registration/registrar.ts'

/** A tool for every shape an answer can have, and every way not to give one. */
export function answeringTools(registrar: Registrar): void {
  registrar.tool(
    'greet',
    {
      description: 'Greets somebody',
      params: {
        name: { type: 'string', required: true },
        times: { type: 'integer', minimum: 1, maximum: 10 },
      },
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    ({ name, times = 1 }) => Array.from({ length: times }, () => `Hello, ${name}!`).join(' '),
  )
  registrar.tool('quiet', { title: 'Says nothing' }, () => [])
  registrar.tool('blocks', { description: 'One block of every kind' }, () => [
    { type: 'text', text: 'text' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'kit://link', name: 'link', size: 3 },
    { type: 'resource', resource: { uri: 'kit://embedded', text: 'embedded' } },
  ])
  registrar.tool('full', { description: 'All that a result can have' }, () => ({
    content: [{ type: 'text', text: 'all of it', annotations: { audience: ['user'], priority: 1 } }],
    structuredContent: { all: true },
    isError: false,
    _meta: { 'kit/revision': 7 },
  }))
  structured(registrar)
  failing(registrar)
}

function structured(registrar: Registrar): void {
  registrar.tool(
    'sum',
    {
      description: 'Adds two numbers; b is 1 unless it is given',
      params: { a: { type: 'number', required: true }, b: { type: 'number', default: 1 } },
      outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    },
    ({ a, b = 1 }) => ({ structuredContent: { sum: a + b } }),
  )
  registrar.tool('bare', { description: 'An array, in no object', outputSchema: { type: 'array' } }, () => ({
    structuredContent: [1, null],
  }))
}

function failing(registrar: Registrar): void {
  registrar.tool('fails', { description: 'Answers that it failed' }, () => ({
    content: [{ type: 'text', text: 'It went wrong' }],
    isError: true,
  }))
  registrar.tool('throws', { description: 'Throws' }, () => {
    throw new Error('The disk is full')
  })
  registrar.tool('refuses', { description: 'Answers with an error of the protocol' }, () => {
    throw new ProtocolError({ code: 4711, message: 'Not today', data: { until: 'tomorrow' } })
  })
}
