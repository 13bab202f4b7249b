import { describe, expect, it } from 'vitest'
import { hostings, textOf } from '../harness.ts'
import { connect } from './harness.ts'
import { official } from './official.ts'

const server = official('official-http-modern')

describe.each(hostings)('the official server of both eras (%s)', (hosting) => {
  it.each(['/mcp', '/modern', '/stream'])('is modern at %s', async (path) => {
    const { client, warnings } = connect(server, { url: server.url(path), hosting })
    expect(await client.era()).toBe('modern')
    expect(textOf(await client.callTool('echo', { text: 'hi' }))).toBe('hi')
    expect(warnings.all).toEqual([])
  })
})
