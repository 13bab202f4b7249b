import { once } from 'node:events'
import { expect, it } from 'vitest'
import { personAt } from '../../../src/cli/ask/person.ts'
import { styleFor } from '../../../src/cli/text/style.ts'
import type { AskRequest } from '../../../src/index.ts'
import { ScriptedPerson } from '../scripted-person.ts'

const permission: AskRequest = {
  kind: 'permission',
  tool: 'fs_write',
  arguments: { path: '/a' },
  call: { id: '1', function: { name: 'fs_write', arguments: '{"path":"/a"}' } },
  reason: 'no-match',
  paths: ['/a'],
  suggestion: { tool: 'fs_write', under: '/' },
}
const form: AskRequest = {
  kind: 'server-elicit',
  request: {
    method: 'elicitation/create',
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
  },
}

it.each([
  [permission, { action: 'deny-once' }],
  [form, { action: 'cancel' }],
])('a question that is withdrawn closes its prompt', async (request, answer) => {
  const terminal = new ScriptedPerson()
  const sink = { isTerminal: false, columns: undefined, write: () => {} }
  const ask = personAt({
    terminal,
    style: styleFor(sink, {}),
    serverName: () => 'a server',
    grantsFile: undefined,
  })
  const abort = new AbortController()
  const drawn = once(terminal.output, 'data')
  const answered = ask(request, { signal: abort.signal })
  await drawn
  abort.abort()
  expect(await answered).toEqual(answer)
  expect(terminal.shown).toMatch(/The question was withdrawn\.\n$/)
})
