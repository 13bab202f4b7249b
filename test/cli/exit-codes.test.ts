import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../src/cli/exit-codes.ts'
import * as errors from '../../src/errors.ts'
import { fixture, json, troupe } from './harness.ts'

const modern = fixture('modern')
const complaints = 'console.error("first complaint\\n\\nlast words"); process.exit(7)'
const dying = ['--', process.execPath, '-e', complaints]

describe.each<[exitCode: number, because: string, argv: string[], error: object]>([
  [
    2,
    'a program that is not there',
    ['tools', '--', 'no-such-program'],
    { code: 'SPAWN_FAILED', command: 'no-such-program' },
  ],
  [2, 'a folder that is not there', ['tools', '--cwd', '/no/such', ...modern], { code: 'SPAWN_FAILED' }],
  [
    2,
    'a server that exits at once',
    ['tools', ...dying],
    {
      name: 'ServerGoneError',
      code: 'SERVER_GONE',
      exitCode: 7,
      signal: null,
      stderrTail: ['first complaint', 'last words'],
    },
  ],
  [
    2,
    'a server that dies in mid-call',
    ['call', 'crash', ...modern],
    { code: 'SERVER_GONE', exitCode: 3, stderrTail: ['goodbye, cruel world'] },
  ],
  [2, 'a wire that is closed', ['tools', ...fixture('closes-stdout')], { code: 'TRANSPORT_CLOSED' }],
  [
    2,
    'a tool that never answers',
    ['call', 'hang', '--timeout', '1000', ...modern],
    { code: 'TIMEOUT', method: 'tools/call', timeoutMs: 1000 },
  ],
  [
    4,
    'an error of the server',
    ['read', 'fixture://nothing', ...modern],
    { name: 'ProtocolError', code: -32602 },
  ],
  [
    4,
    'an answer that breaks its schema',
    ['call', 'typed_wrong', ...modern],
    { code: 'INVALID_RESULT', method: 'tools/call' },
  ],
  [
    4,
    'no version in common',
    ['tools', ...fixture('bare-modern', '--nothing-usable')],
    { code: 'UNSUPPORTED_VERSION', supported: [] },
  ],
  [4, 'a tool that has to ask', ['call', 'ask_name', ...modern], { name: 'ProtocolError', code: -32021 }],
])('%i', (exitCode, because, argv, error) => {
  it(`is for ${because}, told to a program in one line of JSON`, async () => {
    const [command = '', ...rest] = argv
    const outcome = await troupe([command, '--json', ...rest])
    expect(outcome.err.match(/\n/g)).toHaveLength(1)
    expect(json(outcome.err)).toEqual({
      error: expect.objectContaining({ message: expect.any(String), ...error }),
    })
    expect(outcome).toMatchObject({ exitCode, out: '' })
  })
})

describe('5', () => {
  it('is for a tool that says it failed; what it says goes to stderr', async () => {
    expect(await troupe(['call', 'fail', ...modern])).toMatchObject({
      exitCode: 5,
      out: '',
      err: 'error: the tool fail reports a failure\nit did not work\n',
    })
  })

  it('comes with the result on stdout with --json', async () => {
    const { exitCode, out, err } = await troupe(['call', 'fail', '--json', ...modern])
    expect({ exitCode, err }).toEqual({ exitCode: 5, err: '' })
    expect(json(out)).toMatchObject({ isError: true })
  })
})

describe('advice', () => {
  it('names the option of the command line, not of the library', async () => {
    const { err } = await troupe(['call', 'hang', '--timeout', '1000', ...modern])
    expect(err).toBe(
      'error: tools/call was not answered within 1000 ms\nGive it longer with --timeout <ms>. See what it says with --verbose.\n',
    )
  })

  it('shows the last lines of a server that died', async () => {
    const { err } = await troupe(['tools', ...dying])
    expect(err).toMatch(
      /exited with code 7\nThe last it wrote to stderr:\n {2}\| first complaint\n {2}\| last words\n/,
    )
  })

  it('does not tell somebody to look who does', async () => {
    const { err } = await troupe(['tools', '--verbose', ...dying])
    expect(err).not.toContain('--verbose')
  })

  it('knows of old servers that die of the first question', async () => {
    const { err } = await troupe(['tools', ...fixture('dies-on-discover')])
    expect(err).toContain('its last words: panic: server/discover before initialize')
    expect(err).toContain('try --era legacy')
    expect(await troupe(['tools', '--era', 'legacy', ...fixture('dies-on-discover')])).toMatchObject({
      exitCode: 0,
    })
  })
})

it('covers every error of the package', () => {
  const classes = Object.entries(errors).filter(([name]) => name !== 'McpError' && name !== 'CancelledError')
  for (const [, errorClass] of classes) {
    const error = Object.create(errorClass.prototype, { name: { value: errorClass.name } })
    expect([1, 2, 3, 4, 70], errorClass.name).toContain(exitCodeOf(error))
  }
})

it('is 70 for what should not happen', () => {
  expect(exitCodeOf(new TypeError('x is undefined'))).toBe(70)
})
