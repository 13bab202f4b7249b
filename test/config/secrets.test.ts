import { describe, expect, it } from 'vitest'
import { redactor } from '../../src/redactor.ts'
import { understand } from './harness.ts'

const marks = { a: 'first-mark', b: 'second+mark/', c: 'third"mark', d: 'ghp_0123456789' }

function redact(server: object, text: string, env: { readonly [name: string]: string } = {}): string {
  return redactor(understand({ mcpServers: { one: server } }, env).servers.get('one')?.secrets ?? [])(text)
}

describe('of a server nothing is shown that', () => {
  it.each<[what: string, server: object, secret: string]>([
    ['is the value of a variable', { command: 'x', env: { ANY: marks.a } }, marks.a],
    ['is a header', { url: 'http://h/', headers: { Any: marks.a } }, marks.a],
    ['is the token of a header', { url: 'http://h/', headers: { Any: `Bearer ${marks.a}` } }, marks.a],
    ['is in the query of a URL', { url: `http://h/?a=${marks.a}` }, marks.a],
    [
      'is in the query of a URL, in another spelling',
      { url: `http://h/?a=${encodeURIComponent(marks.b)}` },
      marks.b,
    ],
    ['follows an option for secrets', { command: 'x', args: ['--api-key', marks.a] }, marks.a],
    ['is the value of such an option', { command: 'x', args: [`--token=${marks.a}`] }, marks.a],
    ['looks like a token', { command: 'x', args: ['--any', marks.d] }, marks.d],
    ['is the token of a header in an argument', { command: 'x', args: [`X: Bearer ${marks.a}`] }, marks.a],
    ['is the password of an address', { command: 'x', args: [`postgres://ada:${marks.a}@db/x`] }, marks.a],
    ['was filled in from a secret', { command: 'x', args: ['--any', `\${MY_TOKEN}`] }, marks.a],
  ])('%s', (_, server, secret) => {
    const shown = redact(server, `it says ${secret}, twice: ${secret}`, { MY_TOKEN: marks.a })
    expect(shown).toBe('it says ***, twice: ***')
  })

  it('and neither as JSON nor in a URL', () => {
    const server = { command: 'x', env: { A: marks.b, B: marks.c } }
    expect(redact(server, JSON.stringify(marks.c))).toBe('"***"')
    expect(redact(server, `?q=${encodeURIComponent(marks.b)}`)).toBe('?q=***')
    expect(redact({ command: 'x', env: { A: 'half \ud800' } }, 'half \ud800')).toBe('***')
  })

  it('also where it was broken at its spaces or lines', () => {
    const server = { command: 'x', env: { KEY: 'first-line\nsecond-line and-more' } }
    expect(redact(server, '| first-line\n| second-line\n  and-more')).toBe('| ***\n| ***\n  ***')
  })

  it('also where one secret holds another', () => {
    expect(redact({ command: 'x', env: { A: 'secret', B: 'secret-longer' } }, 'secret-longer')).toBe('***')
  })
})

it('shows what is no secret', () => {
  const server = { command: 'x', args: ['--verbose', 'main'], env: { DEBUG: 'true', PORT: '3000' } }
  expect(redact(server, 'x --verbose main true 3000')).toBe('x --verbose main true 3000')
})
