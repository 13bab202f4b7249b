import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fromErrorData, toErrorData } from '../../src/error-data.ts'
import * as errors from '../../src/errors.ts'

const made: readonly errors.McpError[] = [
  new errors.TimeoutError({ method: 'tools/call', timeoutMs: 5, option: 'requestTimeoutMs' }),
  new errors.CancelledError({ method: 'tools/call', by: 'server' }),
  new errors.InternalError('ours'),
  new errors.ServerGoneError({ command: 'node', exitCode: null, signal: 'SIGKILL', stderrTail: ['a', 'ü'] }),
  new errors.TransportClosedError('because'),
  new errors.SpawnFailedError({ command: 'nope', reason: 'not found' }),
  new errors.ProtocolError({ code: -32601, message: 'no such method', data: { deep: [1, null] } }),
  new errors.InvalidResultError({ method: 'tools/call', reason: 'no content' }),
  new errors.MessageTooLargeError({ maxMessageBytes: 10 }),
  new errors.UnsupportedVersionError({ requested: ['a'], supported: ['b', 'c'] }),
  new errors.InputLoopExceededError({ method: 'tools/call', rounds: 8 }),
  new errors.HttpError({ status: 503, bodyTail: 'sorry', reason: 'overloaded' }),
  new errors.AuthorizationError({ status: 401, challenge: 'Bearer', reason: 'who are you?' }),
  new errors.ConfigError({ path: ['args', '2'], reason: 'must be a string' }),
  new errors.ServerDownError({ server: 'files', reason: 'it was stopped' }),
  new errors.ProviderFailedError({ provider: 'files', what: 'threw' }),
]

/** The two ways an error crosses threads: cloned, and as JSON text. */
const crossings: readonly (readonly [string, <Value>(value: Value) => Value])[] = [
  ['cloned', structuredClone],
  ['as JSON', (value) => JSON.parse(JSON.stringify(value))],
]

const everyCrossing = crossings.flatMap(([way, cross]) =>
  made.map((error) => [`${error.name}, ${way}`, error, cross] as const),
)

describe('an error that crossed a thread', () => {
  it.each(everyCrossing)('is an instance of its class, with all its fields: %s', (_name, error, cross) => {
    const arrived = fromErrorData(cross(toErrorData(error)))
    expect(arrived).toBeInstanceOf(error.constructor)
    expect(arrived).toBeInstanceOf(errors.McpError)
    expect(arrived).toBeInstanceOf(Error)
    expect(arrived.name).toBe(error.name)
    expect(arrived.code).toBe(error.code)
    expect(arrived.message).toBe(error.message)
    expect(arrived.stack).toBe(error.stack)
    expect({ ...arrived }).toEqual({ ...error })
    expect(inspect(arrived)).toContain(`${error.name}: `)
  })

  it.each(crossings)('has the errors that caused it, %s', (_way, cross) => {
    const root = Object.assign(new Error('ENOENT'), { code: 'ENOENT', errno: -2 })
    const middle = new errors.SpawnFailedError({ command: 'x', reason: 'y' }, { cause: root })
    const arrived = fromErrorData(cross(toErrorData(new errors.TransportClosedError('z', { cause: middle }))))
    expect(arrived.cause).toBeInstanceOf(errors.SpawnFailedError)
    const { cause } = arrived.cause as Error
    expect(cause).toMatchObject({ name: 'Error', message: 'ENOENT', code: 'ENOENT', errno: -2 })
  })

  it('has name, stack and cause where an error has them: not among its enumerable fields', () => {
    const error = new errors.TransportClosedError('z', { cause: new Error('why') })
    expect(Object.keys(fromErrorData(toErrorData(error)))).toEqual(['code'])
  })

  it.each([
    ['a foreign error', new RangeError('too far'), 'too far'],
    ['a text', 'oops', 'oops'],
    ['nothing', undefined, 'undefined'],
  ])('was %s: it becomes the cause of one of ours', (_name, thrown, message) => {
    const arrived = fromErrorData(structuredClone(toErrorData(thrown)))
    expect(arrived).toBeInstanceOf(errors.InternalError)
    expect(arrived.message).toBe(message)
    expect(arrived.cause).toBeInstanceOf(Error)
  })

  it('may be its own cause, and its causes’ cause', () => {
    const [one, other] = [new Error('one'), new errors.TransportClosedError('other')]
    Object.assign(one, { cause: other })
    Object.assign(other, { cause: one })
    const arrived = fromErrorData(JSON.parse(JSON.stringify(toErrorData(other))))
    expect(arrived.cause).toMatchObject({ message: 'one', cause: { message: 'other' } })
  })

  it('brings only plain fields, where it is none of ours', () => {
    const odd = { code: 'ODD', errno: -1, spawnargs: ['hunter2'], run: () => {}, big: 1n, self: {} }
    odd.self = odd
    const cause = Object.assign(new Error('odd'), odd)
    const arrived = fromErrorData(JSON.parse(JSON.stringify(toErrorData(cause))))
    expect({ ...(arrived.cause as Error) }).toEqual({ code: 'ODD', errno: -1 })
  })

  it.each([Symbol('odd'), null, Object.create(null)])('may have been anything: %s', (thrown) => {
    expect(fromErrorData(toErrorData(thrown))).toBeInstanceOf(errors.InternalError)
  })

  it('cannot pretend to be what is no class of errors', () => {
    const arrived = fromErrorData({ name: 'toString', message: 'm', fields: {} })
    expect(arrived).toBeInstanceOf(errors.InternalError)
  })
})

describe('the table above', () => {
  it('has every class there is', () => {
    const classes = Object.values(errors).filter((value) => value !== errors.McpError)
    expect(new Set(made.map((error) => error.constructor))).toEqual(new Set(classes))
  })

  it('has a stable code for each, the peer’s own integer for a ProtocolError', () => {
    const codes = made.map(({ name, code }) => [name, code])
    expect(new Set(codes.map(([, code]) => code)).size).toBe(made.length)
    expect(codes.filter(([, code]) => typeof code === 'number')).toEqual([['ProtocolError', -32601]])
  })
})
