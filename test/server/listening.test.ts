import { describe, expect, it, onTestFinished } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { McpServer } from '../../src/server/index.ts'
import { InProcessTransport } from '../../src/testing/index.ts'
import { modern, serve } from './http/harness.ts'
import { Pipes } from './stdio/pipes.ts'

function changing(): McpServer {
  const server = new McpServer({ name: 'changing' })
  server.tool('first', {}, () => '')
  server.resource('a://b', { name: 'b' }, () => '')
  return server
}

const filter = { toolsListChanged: true, resourceSubscriptions: ['a://b'] }
const meta = { 'io.modelcontextprotocol/subscriptionId': 'sub' }

describe('a subscription', () => {
  it('is acknowledged with what is honoured, and tells of that alone', async () => {
    const server = changing()
    const pipes = new Pipes(server)
    pipes.modern('sub', 'subscriptions/listen', {
      notifications: { ...filter, promptsListChanged: true, taskIds: ['x'] },
    })
    await pipes.lines.first((line) => line.includes('acknowledged'))
    server.tool('second', {}, () => '')
    server.tool('third', {}, () => '')
    server.prompt('p', {}, () => '')
    server.resourceUpdated('a://other')
    server.resourceUpdated('a://b/part')
    await pipes.lines.first((line) => line.includes('a://b/part'))
    expect(pipes.messages).toEqual(
      [
        {
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications: filter, _meta: meta },
        },
        { method: 'notifications/tools/list_changed', params: { _meta: meta } },
        { method: 'notifications/resources/updated', params: { uri: 'a://b/part', _meta: meta } },
      ].map((note) => ({ jsonrpc: '2.0', ...note })),
    )
  })

  it('ends with an answer when the server does, and without one when the client says so', async () => {
    const pipes = new Pipes(changing())
    for (const id of ['sub', 'other']) pipes.modern(id, 'subscriptions/listen', { notifications: filter })
    pipes.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'other' } })
    pipes.input.end()
    await pipes.served
    expect(await pipes.answer('sub')).toMatchObject({ result: { resultType: 'complete', _meta: meta } })
    expect(pipes.messages.filter(({ id }) => id === 'other')).toEqual([])
  })

  it('that names nothing is refused', async () => {
    const pipes = new Pipes(changing())
    pipes.modern(1, 'subscriptions/listen')
    expect(await pipes.answer(1)).toMatchObject({ error: { code: -32602 } })
  })

  it('is a stream over HTTP, acknowledged at once', async () => {
    const server = changing()
    const serving = await serve(server)
    const { headers, body } = modern('subscriptions/listen', { notifications: filter })
    const post = (accept: string) =>
      fetch(serving.url, {
        method: 'POST',
        headers: { ...headers, accept, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await post('application/json')).status).toBe(400)
    const response = await post('application/json, text/event-stream')
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (!text.includes('list_changed')) server.tool(`t${text.length}`, {}, () => '')
      else void serving.close()
    }
    expect(text).toMatch(/acknowledged.*list_changed.*"resultType":"complete"/s)
  })
})

it.each(['modern', 'legacy'] as const)('tells a %s client of ours what changes', async (era) => {
  const server = changing()
  const client = McpClient.connectStdio({ transport: new InProcessTransport(server), era })
  onTestFinished(() => client.close())
  const subscription = await client.listen(filter)
  server.tool('second', {}, () => '')
  server.resourceUpdated('a://b')
  const heard: string[] = []
  for await (const { method } of subscription) {
    heard.push(method)
    if (heard.length === 2) break
  }
  expect(heard).toEqual(['notifications/tools/list_changed', 'notifications/resources/updated'])
})
