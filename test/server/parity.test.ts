import { expect, it, onTestFinished } from 'vitest'
import { McpClient, type ToolCall } from '../../src/index.ts'
import { InProcessTransport } from '../../src/testing/index.ts'
import { kit } from './kit.ts'

function call(name: string, args: ToolCall['function']['arguments'] = {}, more = {}): ToolCall {
  return { id: `call-${name}`, function: { name, arguments: args }, ...more }
}

/** What a model may ask of the kit: every tool, and everything that is wrong. */
const calls: readonly ToolCall[] = [
  call('greet', { name: 'Ada' }),
  call('greet', '{"name":"Ada","times":2}'),
  call('greet', {}),
  call('greet', { name: 1, more: true }),
  call('greet', '{"name"'),
  call('greet', [] as never),
  call('greet', { name: 1n } as never),
  call('greet', { name: 'Ada' }, { meta: { 'my/key': 1 } }),
  call('greet', { name: 'Ada' }, { meta: { progressToken: 1 } }),
  call('greet', { name: 'Ada' }, { meta: 'none' }),
  call('quiet', ''),
  call('blocks'),
  call('sum', { a: 2 }),
  call('sum', { a: 'two', b: 'x' }),
  call('bare'),
  call('liar'),
  call('full'),
  call('fails'),
  call('throws'),
  call('refuses'),
  call('unwritable'),
  call('shapeless'),
  call('count', { to: 2 }),
  call('nothing'),
  { id: 'x' } as never,
  null as never,
]

function sides() {
  const server = kit()
  const client = McpClient.connectStdio({ transport: new InProcessTransport(server) })
  onTestFinished(() => client.close())
  return { server, client }
}

it('declares its tools as a client in front of it does', async () => {
  const { server, client } = sides()
  expect(await server.toolsForLlm()).toEqual(await client.toolsForLlm())
})

it.each(
  calls.map(
    (one) => [JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? '1n' : value)), one] as const,
  ),
)('answers %s byte for byte as a client in front of it does', async (_, one) => {
  const { server, client } = sides()
  const [ours, theirs] = await Promise.all([server.executeToolCalls([one]), client.executeToolCalls([one])])
  expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs))
})

it('answers a batch, bad options and no batch at all as a client does', async () => {
  const { server, client } = sides()
  const asked = [[calls], [calls, { hurry: true }], ['none']] as never[]
  for (const args of asked) {
    const ours = await Reflect.apply(server.executeToolCalls, server, args)
    expect(ours).toEqual(await Reflect.apply(client.executeToolCalls, client, args))
  }
})

it('reports progress as a client does', async () => {
  const { server, client } = sides()
  const reports = await Promise.all(
    [server, client].map(async (provider) => {
      const heard: unknown[] = []
      await provider.executeToolCalls([call('count', { to: 3 })], {
        onProgress: (report) => heard.push(report),
      })
      return heard
    }),
  )
  expect(reports[0]).toHaveLength(3)
  expect(reports[0]).toEqual(reports[1])
})

it('ends a call that is aborted as a client does', async () => {
  const { server, client } = sides()
  const answers = await Promise.all(
    [server, client].map((provider) => {
      const abort = new AbortController()
      const answer = provider.executeToolCalls([call('wait')], { signal: abort.signal })
      setImmediate(() => abort.abort())
      return answer
    }),
  )
  expect(answers[0]).toMatchObject([{ is_error: true, content: expect.stringContaining('cancelled') }])
  expect(answers[0]).toEqual(answers[1])
})
