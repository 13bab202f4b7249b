import { expect, it } from 'vitest'
import { McpServer } from '../../src/server/index.ts'
import { TestKit } from '../../src/testing/index.ts'
import { Asker } from '../server/dispatch/harness.ts'
import { Pipes } from '../server/stdio/pipes.ts'

it('plugs in as often as there are prefixes, and each is a kit of its own', async () => {
  const server = new McpServer({ name: 'twice' })
  server.plug(new TestKit())
  server.plug(new TestKit(), { prefix: 'second' })
  const names = (await server.toolsForLlm()).map((tool) => tool.function.name)
  expect(names).toHaveLength(2 * names.filter((name) => name.startsWith('second_')).length)
  const client = new Asker(server)
  await client.modern('tools/call', { name: 'touch' })
  const call = (name: string) => client.modern('tools/call', { name })
  expect(await call('extra')).toMatchObject({ result: { content: [{ text: 'here' }] } })
  expect(await call('second_extra')).toMatchObject({ error: { code: -32602 } })
})

it('tells of its resources by the name they go by where it is plugged', async () => {
  const server = new McpServer({ name: 'prefixed' })
  server.plug(new TestKit(), { prefix: 'second' })
  const pipes = new Pipes(server)
  const resourceSubscriptions = ['kit://second/text']
  pipes.modern('sub', 'subscriptions/listen', { notifications: { resourceSubscriptions } })
  pipes.modern('touch', 'tools/call', { name: 'second_touch' })
  await pipes.lines.first((line) => line.includes('"uri":"kit://second/text"'))
})
