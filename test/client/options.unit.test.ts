import { describe, expect, it } from 'vitest'
import { connectionOptions } from '../../src/client/open-link.ts'
import { ConfigError, type HttpClientOptions, McpClient, type StdioClientOptions } from '../../src/index.ts'
import { FakeTransport } from '../../src/testing/index.ts'

type Bad = readonly [option: string, value: unknown, reason: RegExp]

/** Options as an application in JavaScript could give them. */
function complaint(connect: (options: never) => McpClient, options: unknown): ConfigError {
  try {
    void connect(options as never).close()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('No complaint')
}

const stdio = (options: unknown) =>
  complaint((given: StdioClientOptions) => McpClient.connectStdio(given), options)
const http = (options: unknown) =>
  complaint((given: HttpClientOptions) => McpClient.connectHttp(given), options)

const badForAll: readonly Bad[] = [
  ['clientName', '', /must be a non-empty string, not ""/],
  ['clientVersion', 5, /must be a non-empty string, not 5/],
  ['protocolVersions', [], /must be a non-empty array of versions/],
  ['protocolVersions', ['2025-11-25'], /names 2025-11-25, a legacy version/],
  ['protocolVersions', ['2031-01-01'], /must be among 2026-07-28/],
  ['era', 'ancient', /must be one of auto, modern, legacy, not "ancient"/],
  ['connectTimeoutMs', -1, /must be milliseconds, 0 or more, not -1/],
  ['probeTimeoutMs', Number.NaN, /must be milliseconds/],
  ['requestTimeoutMs', Number.POSITIVE_INFINITY, /must be milliseconds/],
  ['maxTotalTimeoutMs', '5s', /must be milliseconds, 0 or more, not "5s"/],
  ['maxInputRounds', 0, /must be a whole number above 0, not 0/],
  ['maxInputRounds', 1.5, /must be a whole number above 0/],
  ['tasks', 'yes', /must be true or false/],
  ['toolConcurrency', 0, /must be a whole number above 0/],
  ['maxResultChars', 2.5, /must be a whole number above 0/],
  ['logLevel', 'warn', /must be one of debug, info, notice, warning/],
  ['clientCapabilities', [], /must be an object/],
  ['hosting', 'process', /must be one of worker, inline/],
  ['transport', null, /must be an object, not null/],
  ['onElicit', {}, /must be a function/],
  ['onSample', true, /must be a function/],
  ['onListRoots', 'roots', /must be a function/],
  ['onLog', 1, /must be a function/],
  ['onProgress', 'bar', /must be a function/],
  ['onWarn', console, /must be a function/],
  ['onTrace', [], /must be a function/],
  ['inspect', 'page', /must be an XState inspection observer, or a function/],
  ['inspect', { next: 1 }, /must be an XState inspection observer, or a function/],
  ['inspectAs', '', /must be a non-empty string/],
]

const badForStdio: readonly Bad[] = [
  ['command', '', /must be a non-empty string/],
  ['args', 'a b', /must be an array of strings, not "a b"/],
  ['args', [1], /must be an array of strings/],
  ['env', { A: 1 }, /must be an object of strings/],
  ['inheritEnv', 1, /must be true or false/],
  ['cwd', 7, /must be a non-empty string/],
  ['killGraceMs', -5, /must be milliseconds/],
  ['stderrLines', 1.5, /must be a whole number/],
  ['maxMessageBytes', 0, /must be a whole number above 0/],
  ['onStderr', 'log', /must be a function/],
]

const badForHttp: readonly Bad[] = [
  ['url', 5, /must be a non-empty string/],
  ['url', 'ftp://example.com', /./],
  ['headers', { A: 1 }, /must be an object of strings/],
  ['idleTimeoutMs', -1, /must be milliseconds/],
  ['maxMessageBytes', 1.5, /must be a whole number above 0/],
  ['proxy', 'http://p', /must be true or false/],
  ['auth', 'Bearer', /must be an object/],
]

describe('a bad option is a ConfigError that names it', () => {
  it.each([...badForAll, ...badForStdio])('on stdio: %s %j', (option, value, reason) => {
    const error = stdio({ command: 'node', [option]: value })
    expect(error.path).toEqual([option])
    expect(error.message).toMatch(reason)
    expect(error.message.startsWith(option)).toBe(true)
  })

  it.each([...badForAll, ...badForHttp])('on HTTP: %s %j', (option, value, reason) => {
    const error = http({ url: 'http://localhost/mcp', [option]: value })
    expect(error.path).toEqual([option])
    expect(error.message).toMatch(reason)
  })

  it('of every option there is', () => {
    const known = stdio({ command: 'x', nope: 1 }).message
    const tested = [...badForAll, ...badForStdio].map(([option]) => option)
    expect(
      known
        .match(/known are (.+)$/)?.[1]
        ?.split(', ')
        .sort(),
    ).toEqual([...new Set(tested)].sort())
    const knownToHttp = http({ url: 'http://localhost', nope: 1 }).message
    const testedOnHttp = [...badForAll, ...badForHttp].map(([option]) => option)
    expect(
      knownToHttp
        .match(/known are (.+)$/)?.[1]
        ?.split(', ')
        .sort(),
    ).toEqual([...new Set(testedOnHttp)].sort())
  })

  it('that is unknown', () => {
    expect(stdio({ command: 'x', nope: 5 }).message).toMatch(/^nope: is no option; known are clientName/)
    expect(stdio({ command: 'x', timeout: 5 }).message).toMatch(
      /^timeout: is no option; did you mean \w*Timeout/i,
    )
    expect(stdio({ command: 'x', hasOwnProperty: 5 }).path).toEqual(['hasOwnProperty'])
    expect(stdio({ command: 'x', toString: () => '' }).path).toEqual(['toString'])
  })

  it('that is missing', () => {
    expect(stdio({}).path).toEqual(['command'])
    expect(http({}).path).toEqual(['url'])
  })

  it.each([[null], [5], [[]]])('of no options at all: %j', (options) => {
    expect(stdio(options).message).toMatch(/must be an object/)
  })
})

describe('a ready-made transport', () => {
  it.each([
    ['command', 'node'],
    ['args', []],
    ['killGraceMs', 5],
    ['onStderr', () => {}],
  ])('leaves no room for %s', (option, value) => {
    const error = stdio({ transport: new FakeTransport(), [option]: value })
    expect(error.path).toEqual([option])
    expect(error.message).toContain('configures a wire, but `transport` already is one')
  })

  it('cannot be hosted in a thread', () => {
    expect(stdio({ transport: new FakeTransport(), hosting: 'worker' }).path).toEqual(['hosting'])
  })

  it('takes every option of a client, and undefined for any', async () => {
    const hook = () => ({ action: 'decline' }) as const
    await using mcp = McpClient.connectStdio({
      transport: FakeTransport.modern(),
      command: undefined,
      hosting: 'inline',
      clientName: 'n',
      clientVersion: '1',
      protocolVersions: ['2026-07-28'],
      era: 'auto',
      connectTimeoutMs: 0,
      probeTimeoutMs: 0.5,
      requestTimeoutMs: 0,
      maxTotalTimeoutMs: 0,
      maxInputRounds: 1,
      logLevel: 'debug',
      clientCapabilities: { elicitation: { form: {}, url: {} } },
      onElicit: hook,
    })
    expect(mcp.declaredCapabilities).toEqual({ elicitation: { form: {}, url: {} } })
    expect(mcp.state.context.options).toMatchObject({ requestTimeoutMs: 0, maxInputRounds: 1 })
  })
})

describe('what a server is told of its client', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  it.each([
    ['a function', { elicitation: { form: () => {} } }],
    ['a bigint', { experimental: { x: [1n] } }],
    ['a symbol', { experimental: { x: Symbol('odd') } }],
    ['itself', cyclic],
  ])('must be JSON, and no %s', (_, clientCapabilities) => {
    for (const hosting of ['worker', 'inline'])
      expect(stdio({ command: 'x', clientCapabilities, hosting })).toMatchObject({
        path: ['clientCapabilities'],
        message: expect.stringContaining('must be an object of JSON'),
      })
  })
})

it('also a bigint is refused with a clear word', () => {
  expect(stdio({ command: 'x', connectTimeoutMs: 5n })).toMatchObject({ path: ['connectTimeoutMs'] })
})

it('closing may take as long as its graces together', () => {
  const { closeTimeoutMs } = connectionOptions({ killGraceMs: 600_000 })
  expect(closeTimeoutMs).toBeGreaterThan(3 * 600_000)
})
