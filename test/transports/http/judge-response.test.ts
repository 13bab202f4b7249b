import { describe, expect, it } from 'vitest'
import { AuthorizationError, HttpError } from '../../../src/errors.ts'
import { judgeResponse, type PostFacts } from '../../../src/transports/http/judge-response.ts'
import { error, result } from './harness.ts'

const facts: PostFacts = {
  id: 1,
  hadSession: false,
  isAnsweredElsewhere: false,
  address: 'example.com:443',
  path: '/mcp?key=hush',
}

function judge(status: number, text: string, over: Partial<PostFacts> = {}, headers = {}) {
  return judgeResponse({ status, text, headers }, { ...facts, ...over })
}

function failureOf(status: number, text = '', over: Partial<PostFacts> = {}, headers = {}) {
  const verdict = judge(status, text, over, headers)
  if (verdict.kind !== 'failed') throw new Error(`no failure but ${verdict.kind}`)
  return verdict
}

describe('a body that is JSON-RPC', () => {
  it.each([200, 400, 404, 500])('is a message under status %d', (status) => {
    const text = error(1, -32601)
    expect(judge(status, text)).toEqual({ kind: 'message', message: JSON.parse(text), text })
  })

  it.each([
    ['null', error(null, -32700)],
    ['missing', error(undefined, -32700)],
  ])('and whose id is %s gets that of the request', (_, text) => {
    const verdict = judge(400, text)
    expect(verdict).toMatchObject({ kind: 'message', message: { id: 1, error: { code: -32700 } } })
    expect(JSON.parse('text' in verdict ? verdict.text : '')).toEqual('message' in verdict && verdict.message)
  })

  it('keeps its text, byte for byte, when its id is there', () => {
    const text = ` { "result": {}, "id": 1,  "jsonrpc": "2.0" } `
    expect(judge(200, text)).toMatchObject({ text })
  })

  it('may be a batch', () => {
    expect(judge(200, `[${result(1)}]`)).toMatchObject({ kind: 'message', message: [{ id: 1 }] })
  })
})

describe('a body that is none', () => {
  it.each(['<html>', '{"detail":"Not Found"}', '{"error":"nope"}', 'null', '"text"', '[]', '[1]', '{'])(
    '%s under 200 fails the request and shows the body',
    (text) => {
      const { failure, wasRefused } = failureOf(200, text, {}, { 'content-type': 'text/html; charset=x' })
      expect(failure).toBeInstanceOf(HttpError)
      expect(failure).toMatchObject({ status: 200, bodyTail: text })
      expect(failure.message).toMatch(/example\.com:443 answered \/mcp with text\/html that is no JSON-RPC/)
      expect(wasRefused).toBe(false)
    },
  )

  it.each([200, 202, 204])('but nothing under %d fails the request', (status) => {
    expect(failureOf(status).failure.message).toBe(
      `example.com:443 took the request (${status}) but sent no answer`,
    )
  })

  it('is what a message without an answer is taken with, and any where answers come elsewhere', () => {
    expect(judge(202, '', { id: undefined })).toEqual({ kind: 'accepted' })
    expect(judge(200, 'null', { id: undefined })).toEqual({ kind: 'accepted' })
    expect(judge(202, 'Accepted', { isAnsweredElsewhere: true })).toEqual({ kind: 'accepted' })
  })
})

describe('a refusal', () => {
  it.each([
    [400, /did not understand the request \(400\)/, false],
    [404, /has nothing at \/mcp; check the URL \(404\)/, true],
    [405, /takes no messages at \/mcp/, true],
    [409, /refused the request \(409\)/, false],
    [413, /too large/, true],
    [429, /too many requests; try again later/, true],
    [500, /failed \(500\)/, false],
    [503, /not available/, false],
    [504, /waited too long/, false],
  ])('with %d says what it means', (status, reason, refused) => {
    const { failure, wasRefused } = failureOf(status, 'so sorry')
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure).toMatchObject({ status, bodyTail: 'so sorry' })
    expect(failure.message).toMatch(reason)
    expect(failure.message).not.toMatch(/hush/)
    expect(wasRefused).toBe(refused)
  })

  it('shows the end of a long body, and what its error says', () => {
    const body = `{"error_description":"you are late"${' '.repeat(2000)}}`
    const { failure } = failureOf(500, body)
    expect(failure.message).toMatch(/failed \(500\): you are late$/)
    expect(failure).toMatchObject({ bodyTail: body.slice(-1000) })
  })

  it.each([401, 403])('with %d asks for other credentials, whatever its body', (status) => {
    const headers = { 'www-authenticate': 'Bearer scope="x"' }
    const { failure, wasRefused } = failureOf(status, error(1, -32600, 'who are you?'), {}, headers)
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(failure).toMatchObject({ status, challenge: 'Bearer scope="x"' })
    expect(failure.message).toMatch(/who are you\?/)
    expect(wasRefused).toBe(true)
    expect(failureOf(status).failure).toMatchObject({ challenge: undefined })
  })
})

describe('404 in a session', () => {
  it.each(['', '<html>', error(null, -32001, 'Session not found')])(
    'and %j means that it is gone',
    (text) => {
      expect(judge(404, text, { hadSession: true })).toMatchObject({
        kind: 'sessionLost',
        failure: { status: 404 },
      })
    },
  )

  it('and -32601 means that the method is unknown', () => {
    expect(judge(404, error(1, -32601), { hadSession: true })).toMatchObject({ kind: 'message' })
  })
})
