import { beforeEach, describe, expect, it } from 'vitest'
import { TestClock } from '../../../src/testing/test-clock.ts'
import { InitializedGate } from '../../../src/transports/http/initialized-gate.ts'
import type { Outbound } from '../../../src/transports/transport.ts'
import { notification, request } from './harness.ts'

let clock: TestClock
let passed: string[]
let gate: InitializedGate

const nameOf = (message: Outbound): string =>
  message.kind === 'request' ? `${message.id}` : message.kind === 'notification' ? message.method : 'response'

beforeEach(() => {
  clock = new TestClock()
  passed = []
  gate = new InitializedGate(clock, (message) => passed.push(nameOf(message)))
})

describe('the gate', () => {
  it('lets everything through until it is closed', () => {
    gate.send(request(1))
    expect(passed).toEqual(['1'])
  })

  it('holds everything back in order until it is opened', () => {
    gate.close(100)
    gate.send(request(1))
    gate.send(notification('n'))
    gate.send(request(2))
    expect(passed).toEqual([])
    gate.open()
    gate.send(request(3))
    expect(passed).toEqual(['1', 'n', '2', '3'])
    expect(clock.pending).toBe(0)
  })

  it('opens by itself when the time is up', () => {
    gate.close(100)
    gate.send(request(1))
    clock.advance(99)
    expect(passed).toEqual([])
    clock.advance(1)
    expect(passed).toEqual(['1'])
  })

  it('closed again gets new time and keeps what it holds', () => {
    gate.close(100)
    gate.send(request(1))
    clock.advance(99)
    gate.close(100)
    clock.advance(99)
    expect(passed).toEqual([])
    gate.open()
    expect(passed).toEqual(['1'])
  })

  it('forgets a request that was abandoned, and gives back what it holds', () => {
    gate.close(100)
    gate.send(request(1))
    gate.send(request(2))
    gate.abandon(1)
    gate.open()
    expect(passed).toEqual(['2'])
    gate.close(100)
    gate.send(request(3))
    expect(gate.empty()).toEqual([request(3)])
    expect(passed).toEqual(['2'])
    expect(clock.pending).toBe(0)
  })
})
