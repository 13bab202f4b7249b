import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { packageVersion } from '../../src/version.ts'
import { fixture, json, troupe } from './harness.ts'

describe('without a server', () => {
  it.each([
    [['tools'], 'troupe tools -- node server.js'],
    [['tools', '--'], 'troupe tools -- node server.js'],
    [['call', 'echo', 'text=a b'], "troupe call echo 'text=a b' -- node server.js"],
    [['read', 'file:///a'], 'troupe read file:///a -- node server.js'],
  ])('%j shows how to write one', async (argv, line) => {
    const { exitCode, err, out } = await troupe(argv)
    expect(err).toContain(
      `No server to talk to. Its own command line goes after --, or --url says where it is, like this:\n  ${line}\n`,
    )
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })

  it.each([
    [['tools', 'node', 'server.js'], 'troupe tools -- node server.js'],
    [['probe', 'npx', 'server'], 'troupe probe -- npx server'],
    [['read', 'file:///a', 'node', 'server.js'], 'troupe read file:///a -- node server.js'],
    [['call', 'echo', 'text=hi', 'node', 'server.js'], 'troupe call echo text=hi -- node server.js'],
  ])('%j is told where the dashes go', async (argv, line) => {
    expect((await troupe(argv)).err).toMatch(new RegExp(`this:\n {2}${line}\n$`))
  })
})

describe('a wrong command line', () => {
  it.each<[argv: string[], message: string]>([
    [[], 'No command given; troupe --help lists them'],
    [['help', 'tolls'], 'There is no command "tolls"; troupe --help lists them'],
    [['tolls'], "unknown command 'tolls'. Did you mean tools?\ntroupe --help lists all commands."],
    [['toString'], "unknown command 'toString'"],
    [['--era', 'modern', 'tools'], 'Options go after the command: troupe tools --json'],
    [['call', ...fixture('echo')], "missing required argument 'tool'\nUsage: troupe call <tool> [args...]"],
    [['probe', 'a', ...fixture('echo')], 'troupe probe takes no arguments; too much: a'],
    [['tools', 'a', 'b', ...fixture('echo')], 'troupe tools takes one argument; too much: b'],
    [['tools', 'node', '--port', '3'], "unknown option '--port'\nWhat belongs to the server goes after --"],
    [
      ['call', 'echo', '--text', 'hi', ...fixture('echo')],
      'Arguments are written key=value, without dashes.',
    ],
    [['tools', '--era', 'old', ...fixture('echo')], 'Allowed choices are auto, modern, legacy.'],
    [['tools', '--log-level', 'loud', ...fixture('echo')], 'Allowed choices are debug, info'],
    [['tools', '--timeout', '1s', ...fixture('echo')], 'A timeout is milliseconds, 0 or more, not "1s"'],
    [['tools', '--timeout', '-1', ...fixture('echo')], 'A timeout is milliseconds, 0 or more, not "-1"'],
    [['tools', '--env', 'KEY', ...fixture('echo')], '--env takes KEY=VALUE, not "KEY"'],
    [['diagram', 'connektion'], 'There is no machine "connektion". Did you mean connection?'],
    [['diagram', 'connection', '--format', 'svg'], '--format takes mermaid, dot, json, not "svg"'],
  ])('%j is refused with what to do', async (argv, message) => {
    const { exitCode, out, err } = await troupe(argv)
    expect(err).toMatch(/^error: /)
    expect(err).toContain(message)
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })

  it('is one line of JSON with --json', async () => {
    const { exitCode, out, err } = await troupe(['tools', '--json'])
    expect(err.match(/\n/g)).toHaveLength(1)
    expect(json(err)).toEqual({
      error: { name: 'UsageError', code: 'USAGE', message: expect.stringContaining('No server') },
    })
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })

  it('takes a --json after the dashes for the server’s', async () => {
    expect((await troupe(['tools', '--nonsense', '--', 'x', '--json'])).err).toMatch(/^error: unknown option/)
  })
})

describe('help', () => {
  it('lists every command and exit code', async () => {
    const { exitCode, out, err } = await troupe(['--help'])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    for (const { usage, summary } of commands.values()) {
      expect(out).toContain(usage)
      expect(out).toContain(summary)
    }
    for (const code of [0, 1, 2, 3, 4, 5, 6, 70, 130]) expect(out).toMatch(new RegExp(`^  ${code} +\\w`, 'm'))
  })

  it.each([...commands.keys()])('of %s has examples and says how to name a server', async (name) => {
    const { exitCode, out } = await troupe([name, '--help'])
    expect(exitCode).toBe(0)
    expect(out).toMatch(new RegExp(`Examples:\n  troupe ${name}`))
    const needsServer = (await commands.get(name)?.load())?.needsServer
    expect(out.includes('(-- <server>... | --url <url>)')).toBe(needsServer)
    expect(out.includes('<server by name>')).toBe(needsServer)
    expect((await troupe(['help', name])).out).toBe(out)
  })

  it.each(['', ...commands.keys()])('of %j fits a terminal of 80 columns', async (name) => {
    const { out } = await troupe([...(name ? [name] : []), '--help'], {
      terminal: true,
      env: { NO_COLOR: '1' },
    })
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('is coloured on a terminal, unless NO_COLOR is set', async () => {
    const { out } = await troupe(['call', '--help'], { terminal: true })
    expect(out).toContain('\u001b[1mUsage:')
    const colourless = await troupe(['call', '--help'], { terminal: true, env: { NO_COLOR: '1' } })
    expect(colourless.out).not.toContain('\u001b')
  })

  it('prints the version', async () => {
    expect(await troupe(['--version'])).toMatchObject({ exitCode: 0, out: `${packageVersion}\n` })
  })
})
