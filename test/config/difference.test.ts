import { expect, it } from 'vitest'
import { difference } from '../../src/config/difference.ts'
import { understand } from './harness.ts'

const before = understand({
  mcpServers: {
    same: { command: 'a', env: { A: '1', B: '2' } },
    other: { command: 'b' },
    gone: { command: 'c' },
  },
})

it('tells of what was added, removed or changed, and of nothing else', () => {
  const after = understand(`{ "servers": { // written otherwise
    "new": { "command": "d" },
    "other": { "command": "b", "troupe": { "restart": "temporary" } },
    "same": { "env": { "B": "2", "A": "1" }, "command": "a", "args": [] }
  } }`)
  const { added, removed, changed } = difference(before, after)
  expect(added.map(({ name }) => name)).toEqual(['new'])
  expect(removed.map(({ name }) => name)).toEqual(['gone'])
  expect(changed.map((pair) => [pair.before.supervision, pair.after.supervision])).toEqual([
    [{}, { restart: 'temporary' }],
  ])
})

it('counts a server that is disabled now as removed, and one that is no longer as added', () => {
  const disabled = understand({ mcpServers: { same: { command: 'a', disabled: true } } })
  expect(difference(before, disabled).removed).toHaveLength(3)
  expect(difference(disabled, before).added).toHaveLength(3)
})
