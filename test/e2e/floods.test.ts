import { describe, expect, it } from 'vitest'
import { connect, fixture, hostings, textOf } from './harness.ts'

describe.each(hostings)('a server that says more than its host reads (%s)', (hosting) => {
  it('leaves the host its turns, is heard to the end, and answers', async () => {
    const { client } = connect({ ...fixture('floods'), hosting })
    const count = 100_000
    let [heard, heardThisTurn, most] = [0, 0, 0]
    client.on('notification', () => {
      heard += 1
      heardThisTurn += 1
    })
    const look = () => {
      most = Math.max(most, heardThisTurn)
      heardThisTurn = 0
      if (heard < count) setImmediate(look)
    }
    await client.era()
    look()
    expect(textOf(await client.callTool('flood', { count, bytes: 100 }))).toBe('done')
    expect(heard).toBe(count)
    expect(most).toBeLessThan(count / 10)
  })
})
