import { describe, expect, it } from 'vitest'
import { failureText } from '../../src/bridge/failure-text.ts'
import * as errors from '../../src/errors.ts'

const failures = [
  new errors.TimeoutError({ method: 'tools/call', timeoutMs: 5 }),
  new errors.CancelledError({ method: 'tools/call' }),
  new errors.ServerGoneError({ command: 'server', exitCode: 3, signal: null, stderrTail: ['bye'] }),
  new errors.TransportClosedError(),
  new errors.SpawnFailedError({ command: 'server', reason: 'no such file' }),
  new errors.InternalError('a fault'),
  new errors.ProtocolError({ code: -32602, message: 'no such tool' }),
  new errors.InvalidResultError({ method: 'tools/call', reason: 'content is not an array' }),
  new errors.MessageTooLargeError({ maxMessageBytes: 10 }),
  new errors.UnsupportedVersionError({ requested: ['2026-07-28'], supported: [] }),
  new errors.InputLoopExceededError({ method: 'tools/call', rounds: 8 }),
  new errors.HttpError({ status: 500, reason: 'The server answered 500' }),
  new errors.AuthorizationError({ status: 401, reason: 'The server wants credentials' }),
  new errors.ServerDownError({ server: 'files', reason: 'it was given up' }),
  new errors.ProviderFailedError({ provider: 'files', what: 'failed' }),
  new errors.ConfigError({ path: ['meta', 'progressToken'], reason: 'is the protocol’s own key' }),
]

describe('a failure, as a model reads it', () => {
  it.each(failures.map((failure) => [failure.name, failure] as const))(
    'says what happened and what to do (%s)',
    (_, failure) => {
      const text = failureText(failure)
      expect(text).toContain(failure.message)
      const advice = text.slice(text.indexOf(failure.message) + failure.message.length)
      expect(advice).toMatch(/^[.…]? [A-Z].*\.$/)
      expect(text).not.toMatch(/\bat .*:\d+:\d+/)
    },
  )

  it('is told for every class there is', () => {
    const classes = Object.entries(errors)
      .filter(([name, value]) => typeof value === 'function' && name !== 'McpError' && name.endsWith('Error'))
      .map(([name]) => name)
    expect(failures.map(({ name }) => name).toSorted()).toEqual(classes.toSorted())
  })

  it('keeps what the server says of it, within bounds', () => {
    const refused = new errors.ProtocolError({ code: -32000, message: 'no', data: { quota: 0 } })
    expect(failureText(refused)).toBe(
      'The server refused the call with error -32000: no ({"quota":0}). Do not repeat the call unchanged.',
    )
    const long = new errors.ProtocolError({ code: -32000, message: 'x'.repeat(1_000_000) })
    expect(failureText(long).length).toBeLessThan(5_000)
  })

  it('may be anything that was thrown', () => {
    expect(failureText(new TypeError('x is undefined'))).toBe('x is undefined.')
    for (const thrown of [undefined, null, 'text', Object.create(null)])
      expect(failureText(thrown)).toBe('The call failed for a reason that was not given.')
  })
})
