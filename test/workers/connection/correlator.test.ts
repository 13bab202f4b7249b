import { describe, expect, it } from 'vitest'
import { TransportClosedError } from '../../../src/errors.ts'
import type { Outbound } from '../../../src/transports/transport.ts'
import { type Answer, Correlator } from '../../../workers/connection/correlator.ts'

const result = (n: number): Answer => ({ kind: 'result', result: { n }, size: 1 })

function correlatorOf() {
  const sent: Outbound[] = []
  const answers: Answer[] = []
  const correlator = new Correlator((message) => sent.push(message))
  const request = () => correlator.request('ask', '{}', '', (answer) => answers.push(answer))
  return { correlator, request, sent, answers }
}

describe('the correlator', () => {
  it('numbers requests upwards and never reuses a number', () => {
    const { correlator, request } = correlatorOf()
    const ids = [request(), request()]
    correlator.settle(1, result(1))
    correlator.forget(2)
    expect([...ids, request()]).toEqual([1, 2, 3])
    expect(correlator.pending).toBe(1)
  })

  it('sends what it is asked to', () => {
    const { correlator, sent } = correlatorOf()
    correlator.request('tools/call', '{"name":"a"}', '"m":1', () => {})
    expect(sent).toEqual([
      {
        kind: 'request',
        id: 1,
        method: 'tools/call',
        text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"m":1}}}',
      },
    ])
  })

  it('gives each request its own answer, in whatever order they come, once', () => {
    const { correlator, request, answers } = correlatorOf()
    request()
    request()
    expect(correlator.settle(2, result(2))).toBe(true)
    expect(correlator.settle(1, result(1))).toBe(true)
    expect(correlator.settle(1, result(9))).toBe(false)
    expect(answers).toEqual([result(2), result(1)])
  })

  it('compares ids strictly', () => {
    const { correlator, request, answers } = correlatorOf()
    request()
    expect(correlator.settle('1', result(1))).toBe(false)
    expect(answers).toEqual([])
  })

  it('drops the answer to what was forgotten', () => {
    const { correlator, request, answers } = correlatorOf()
    request()
    expect(correlator.forget(1)).toBe(true)
    expect(correlator.forget(1)).toBe(false)
    expect(correlator.settle(1, result(1))).toBe(false)
    expect(answers).toEqual([])
  })

  it('fails what is asked after the wire was gone, sends nothing of it, and still lets it be forgotten', async () => {
    const { correlator, request, sent, answers } = correlatorOf()
    const failure = new TransportClosedError()
    correlator.failAll(failure)
    request()
    const unwanted = request()
    expect(answers).toEqual([])
    correlator.forget(unwanted)
    await Promise.resolve()
    expect(answers).toEqual([{ kind: 'failure', failure }])
    expect(sent).toEqual([])
  })

  it('fails everything that waits, and is empty when it says so', () => {
    const { correlator, request, answers } = correlatorOf()
    const failure = new TransportClosedError()
    correlator.request('ask', '{}', '', () => expect(correlator.pending).toBe(0))
    request()
    correlator.failAll(failure)
    expect(answers).toEqual([{ kind: 'failure', failure }])
  })
})

describe('the one request an answer without an id belongs to', () => {
  it('is the only one that waits', () => {
    const { correlator, request } = correlatorOf()
    expect(correlator.only()).toBeUndefined()
    request()
    expect(correlator.only()).toBe(1)
    request()
    expect(correlator.only()).toBeUndefined()
  })

  it('is in doubt while the answer to a forgotten request may still come', () => {
    const { correlator, request } = correlatorOf()
    request()
    correlator.forget(1)
    request()
    expect(correlator.only()).toBeUndefined()
    correlator.settle(1, result(1))
    expect(correlator.only()).toBe(2)
  })
})
