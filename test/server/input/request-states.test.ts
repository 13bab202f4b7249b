import { expect, it } from 'vitest'
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

it('forgets what has expired, and nothing else', () => {
  const store = new MemoryReplayStore()
  expect(store.claim('old', 0)).toBe(true)
  expect(store.claim('new', Number.MAX_SAFE_INTEGER)).toBe(true)
  expect(store.claim('old', 0)).toBe(true)
  expect(store.claim('new', Number.MAX_SAFE_INTEGER)).toBe(false)
})
