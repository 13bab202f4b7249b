import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { troupe } from '../../providers/registry/harness.ts'
import { namesOf } from '../../providers/registry/provider.ts'
import { official } from './official.ts'

const modern = official('official-http-modern')

describe('a supervised server on a URL', () => {
  it('is one toolkit with the others', async () => {
    const { registry, ask } = troupe()
    registry.add({ url: modern.url('/modern') }, { prefix: 'web' })
    expect(await namesOf(registry)).toContain('web_echo')
    expect(await ask('web_echo', { text: 'over HTTP' })).toBe('over HTTP')
    await registry.close()
    await modern.idle()
  })

  it('that cannot be reached is tried again, and given up', async () => {
    const { registry, reached, ask } = troupe()
    registry.add({ url: await nobodysUrl() }, { prefix: 'web', maxRestarts: 2, downWaitMs: 60_000 })
    expect(await reached('web', 'exhausted', 3)).toMatchObject({ failure: { name: 'HttpError' } })
    expect(await ask('web_echo')).toMatch(/given up after 2 restarts/)
  })
})

/** Somebody listened there, but no more. */
async function nobodysUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : expect.fail('no port')}/mcp`
}
