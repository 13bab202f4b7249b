import { describe, expect, it } from 'vitest'
import { hostings, textOf } from '../harness.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'
import { modern } from './modern.ts'

describe.each(hostings)('smoke (%s)', (hosting) => {
  it('modern', async () => {
    const server = await modern()
    const { client, warnings } = connect(server, { url: server.url, hosting })
    expect(await client.era()).toBe('modern')
    expect(textOf(await client.callTool('echo', { text: 'hi' }))).toBe('echo was called')
    expect(warnings.all).toEqual([])
  })
  it('legacy', async () => {
    const server = await legacy()
    const { client, warnings } = connect(server, { url: server.url, hosting })
    expect(await client.era()).toBe('legacy')
    expect(textOf(await client.callTool('echo', { text: 'hi' }))).toBe('echo was called')
    server.forget()
    expect(textOf(await client.callTool('echo', { text: 'hi' }))).toBe('echo was called')
    expect(warnings.all).toEqual([])
    await client.close()
    expect(server.seen.map((e) => e.name)).toEqual([])
  })
})
