import { describe, expect, it } from 'vitest'
import { Seal } from '../../../src/seal.ts'
import { MemoryReplayStore } from '../../../src/server/index.ts'
import { RequestStates } from '../../../src/server/input/request-states.ts'

it('expires', async () => {
  let time = 0
  const parts = { seal: new Seal(undefined), replays: undefined, lifetimeMs: 100, now: () => time }
  const states = new RequestStates(parts)
  const call = { method: 'tools/call', params: { name: 'a' }, principal: undefined }
  const again = { ...call, params: { name: 'a', requestState: states.write(call, {}) } }
  time = 100
  expect(await states.read(again)).toEqual({})
  time = 101
  await expect(states.read(again)).rejects.toThrow('expired')
})

describe('is refused', () => {
  const call = { method: 'tools/call', params: { name: 'a', arguments: { x: 1 } }, principal: 'ada' }
  const states = (secret?: string) =>
    new RequestStates({ seal: new Seal(secret), replays: undefined, lifetimeMs: 100, now: () => 0 })
  const secret = 'a secret of sixteen and more'

  it.each([
    ['its own call', {}, true],
    ['another method', { method: 'prompts/get' }, false],
    ['another tool', { params: { name: 'b', arguments: { x: 1 } } }, false],
    ['other arguments', { params: { name: 'a', arguments: { x: 2 } } }, false],
    ['fewer arguments', { params: { name: 'a' } }, false],
    ['more parameters', { params: { name: 'a', arguments: { x: 1 }, task: {} } }, false],
    ['somebody else', { principal: 'eve' }, false],
    ['nobody', { principal: undefined }, false],
    ['somebody called null', { principal: 'null' }, false],
  ])('with %s: unless it is the first of these', async (_, changed, isGood) => {
    const requestState = states(secret).write(call, {})
    const given = { ...call, ...changed }
    const read = states(secret).read({ ...given, params: { ...given.params, requestState } })
    if (isGood) expect(await read).toEqual({})
    else await expect(read).rejects.toThrow('belongs to another call')
  })

  it('where another secret is kept', async () => {
    const requestState = states('another secret of sixteen').write(call, {})
    for (const elsewhere of [states(secret), states()])
      await expect(elsewhere.read({ ...call, params: { ...call.params, requestState } })).rejects.toThrow(
        'not what this server sent',
      )
  })
})

it('that could be a second is not taken when there is no room to know', () => {
  const store = new MemoryReplayStore(2)
  const later = Number.MAX_SAFE_INTEGER
  expect(store.claim('expired', 0)).toBe(true)
  expect(['one', 'two', 'three', 'one'].map((nonce) => store.claim(nonce, later))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '9'])('has no room for %s', (capacity) => {
  expect(() => new MemoryReplayStore(capacity as number)).toThrow(
    `capacity: must be a whole number above 0, not ${typeof capacity === 'string' ? '"9"' : capacity}`,
  )
})

it('forgets what has expired, and nothing else', () => {
  const store = new MemoryReplayStore()
  expect(store.claim('old', 0)).toBe(true)
  expect(store.claim('new', Number.MAX_SAFE_INTEGER)).toBe(true)
  expect(store.claim('old', 0)).toBe(true)
  expect(store.claim('new', Number.MAX_SAFE_INTEGER)).toBe(false)
})
