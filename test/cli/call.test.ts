import { describe, expect, it } from 'vitest'
import { everything, fixture, interruption, json, troupe } from './harness.ts'

const modern = fixture('modern')

describe('the answer of a tool', () => {
  it('is its text', async () => {
    expect(await troupe(['call', 'echo', 'text=hello', ...modern])).toMatchObject({
      exitCode: 0,
      out: 'hello\n',
      err: '',
    })
  })

  it('names what is no text', async () => {
    const image = await troupe(['call', 'get-tiny-image', ...everything])
    expect(image.out).toMatch(/requested:\n\[image\/png, \d(\.\d)? kB\]\nThe image above/)
    const links = await troupe(['call', 'get-resource-links', 'count=1', ...everything])
    expect(links.out).toMatch(/\n\[demo:\/\/resource\/\S+, [^\]]+\]\n$/)
  })

  it('shows the text of a resource inside it', async () => {
    const { out } = await troupe(['call', 'get-resource-reference', 'resourceType=Text', ...everything])
    expect(out).toMatch(/\[demo:\/\/resource\/dynamic\/text\/1, text\/plain\]\nResource 1: /)
  })

  it('is its structure when there is no text', async () => {
    const { out, exitCode } = await troupe(['call', 'violations', ...fixture('bare-modern')])
    expect({ exitCode, value: json(out) }).toEqual({ exitCode: 0, value: { violations: [] } })
  })

  it('is the whole result on one line with --json', async () => {
    const { out, err } = await troupe(['call', 'echo', 'text=hi', '--json', ...modern])
    expect(out).toBe('{"content":[{"type":"text","text":"hi"}]}\n')
    expect(err).toBe('')
  })

  it('cannot command a terminal, and reaches a program as it is', async () => {
    const text = '\u001b]52;c;aGk=\u0007'
    expect((await troupe(['call', 'echo', `text=${text}`, ...modern])).out).toBe(`${text}\n`)
    const shown = await troupe(['call', 'echo', `text=${text}`, ...modern], { terminal: true })
    expect(shown.out).toBe('^[]52;c;aGk=^G\n')
  })
})

describe('arguments', () => {
  it.each([[['a=2', 'b=3']], [['a:=2', 'b=3']], [['{"a":2,"b":3}']], [['{"a":2,"b":0}', 'b=3']], [['-']]])(
    '%j reach the tool typed',
    async (args) => {
      const { out } = await troupe(['call', 'get-sum', ...args, ...everything], { stdin: '{"a":2,"b":3}' })
      expect(out).toBe('The sum of 2 and 3 is 5.\n')
    },
  )

  it('that cannot be typed never reach it', async () => {
    expect(await troupe(['call', 'get-sum', 'a=two', 'b=3', ...everything])).toMatchObject({
      exitCode: 1,
      out: '',
      err: 'error: a takes number, not "two"\n',
    })
  })

  it('that are missing are for the server to complain of', async () => {
    const { exitCode, err } = await troupe(['call', 'get-sum', 'a=2', ...everything])
    expect(exitCode).toBe(5)
    expect(err).toMatch(/^error: the tool get-sum reports a failure\n.*Input validation error/)
  })

  it('of the wrong form are refused before a server is started', async () => {
    const { exitCode, err } = await troupe(['call', 'echo', 'hi', '--', 'no-such-command'])
    expect(exitCode).toBe(1)
    expect(err).toBe('error: "hi" is no argument. Write key=value, as in --help.\n')
  })
})

describe('a tool that does not exist', () => {
  it('is a usage error with the nearest name', async () => {
    expect(await troupe(['call', 'ehco', 'text=hi', ...modern])).toMatchObject({
      exitCode: 1,
      err: 'error: The server has no tool "ehco". Did you mean echo?\n',
    })
  })

  it('is told where to look when none is near', async () => {
    const { err } = await troupe(['call', 'nonsense', ...modern])
    expect(err).toMatch(
      /^error: The server has no tool "nonsense"\. troupe tools lists the \d+ there are\.\n$/,
    )
  })
})

describe('progress', () => {
  const count = ['call', 'count', 'to=3', ...modern]

  it('is a bar on a terminal, and gone in the end', async () => {
    const { err, out } = await troupe(count, { terminal: true, env: { NO_COLOR: '1' } })
    expect(err).toContain('\r\u001b[K████████████████░░░░░░░░ 2/3')
    expect(err.endsWith('\r\u001b[K')).toBe(true)
    expect(out).not.toContain('█')
  })

  it('is silent elsewhere, unless all is to be seen', async () => {
    expect((await troupe(count)).err).toBe('')
    expect((await troupe([...count.slice(0, 3), '--verbose', ...modern])).err).toMatch(/^progress: 2\/3/m)
  })
})

describe('what is said on stderr', () => {
  it('is every message, warning and line of the server with --verbose', async () => {
    const { err, out } = await troupe(['call', 'noise', '--verbose', ...fixture('bare-modern')])
    expect(err).toMatch(/^ +\d+ ms → \{"jsonrpc":"2.0","id":1,"method":"server\/discover"/m)
    expect(err).toMatch(/^ +\d+ ms ← \{.*"supportedVersions"/m)
    expect(err).toMatch(/^warning: the wire carried something that is no message: /m)
    expect(err).toMatch(/^ {3}server \| bye \{"served"/m)
    expect(out).not.toBe('')
  })

  it('is nothing of a server that makes noise but works', async () => {
    const quiet = await troupe(['tools', ...fixture('noisy')])
    expect(quiet).toMatchObject({ exitCode: 0, err: '' })
    expect(quiet.out).not.toBe('')
    expect(await troupe(['tools', ...fixture('floods-stderr')])).toMatchObject({ exitCode: 0, err: '' })
  })

  it('is what the server logs from the level on that was asked for', async () => {
    const { err } = await troupe(['call', 'log', '--log-level', 'info', ...modern])
    expect(err).toMatch(/^\[info\] fixture .*\n\[error\] fixture .*\n$/)
    expect((await troupe(['call', 'log', ...modern])).err).toBe('')
  })
})

it('ends with 130 when interrupted, and says so to a program', async () => {
  const abort = new AbortController()
  const running = troupe(['call', 'count', 'to=1', '--json', ...modern], { interrupt: abort.signal })
  abort.abort(interruption())
  const { exitCode, out, err } = await running
  expect({ exitCode, out }).toEqual({ exitCode: 130, out: '' })
  expect(json(err)).toMatchObject({ error: { name: 'Interruption', code: 'INTERRUPTED' } })
})
