import { describe, expect, it, onTestFinished } from 'vitest'
import { CancelledError, McpClient, type Task } from '../../../src/index.ts'
import { connect, failureOf, pathOf, textOf } from '../../e2e/harness.ts'
import { deferred } from '../../model/deferred.ts'
import { serve } from '../http/harness.ts'
import { working } from './working.ts'

const options = {
  tasks: true,
  onElicit: ({ params }: { params: object }) => {
    const { properties } = (params as { requestedSchema: { properties: object } }).requestedSchema
    const [field = ''] = Object.keys(properties)
    return { action: 'accept' as const, content: { [field]: field === 'age' ? 36 : 'Ada' } }
  },
}

function overStdio(more: { tasks?: boolean } = {}): McpClient {
  const args = ['--import', 'tsx', pathOf('../server/programs/tasks.ts')]
  // On a busy machine a program in TypeScript takes its time.
  return connect({ command: process.execPath, args, probeTimeoutMs: 60_000, ...options, ...more }).client
}

async function overHttp(more: { tasks?: boolean } = {}): Promise<McpClient> {
  const { url } = await serve(working({ tasks: { pollIntervalMs: 20 } }))
  const client = McpClient.connectHttp({ url, ...options, ...more })
  onTestFinished(() => client.close())
  return client
}

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
])('our client over %s', (_, open) => {
  it('follows a call that becomes a task to its end', async () => {
    const client = await open()
    const seen: Task[] = []
    const onTask = (task: Task) => seen.push(task)
    expect(textOf(await client.callTool('echo', { text: 'hi' }, { onTask }))).toBe('hi')
    expect(seen[0]).toMatchObject({ status: 'working', pollIntervalMs: 20 })
    expect(seen.at(-1)).toMatchObject({ status: 'completed', taskId: seen[0]?.taskId })
    expect(textOf(await client.resumeTask(seen[0]?.taskId ?? ''))).toBe('hi')
    expect(textOf(await client.callTool('only'))).toBe('as a task')
    expect(await client.callTool('fails')).toMatchObject({ isError: true })
    expect(await failureOf(client.callTool('refuses'))).toMatchObject({
      code: 4711,
      data: { until: 'tomorrow' },
    })
  })

  it('answers what a task asks, also after what was asked before it', async () => {
    const client = await open()
    expect(textOf(await client.callTool('ask'))).toBe('Ada is 36')
    const messages: unknown[] = []
    const onProgress = ({ message }: { message?: string }) => messages.push(message)
    expect(textOf(await client.callTool('ask-first', {}, { onProgress }))).toBe('Ada is 36')
    expect(messages).toContain('1 of 2')
  })

  it('takes a task back', async () => {
    const client = await open()
    const abort = new AbortController()
    const seen: Task[] = []
    const onTask = (task: Task) => {
      seen.push(task)
      abort.abort()
    }
    const failure = await failureOf(client.callTool('wait', {}, { signal: abort.signal, onTask }))
    expect(failure).toBeInstanceOf(CancelledError)
    // Another wait for the same task learns what became of it.
    expect(await failureOf(client.resumeTask(seen[0]?.taskId ?? ''))).toMatchObject({
      constructor: CancelledError,
      by: 'server',
    })
  })

  it('that takes no tasks is answered at once, or told what it lacks', async () => {
    const client = await open({ tasks: false })
    expect(textOf(await client.callTool('echo', { text: 'hi' }))).toBe('hi')
    expect(await failureOf(client.callTool('only'))).toMatchObject({ code: -32021 })
  })
})

it('a program on stdio ends with its client, whatever its tasks do', async () => {
  const client = overStdio()
  const created = deferred<void>()
  const call = failureOf(client.callTool('wait', {}, { onTask: () => created.resolve() }))
  await created.promise
  // What still runs then fails the test.
  await client.close()
  expect(await call).toMatchObject({ code: 'TRANSPORT_CLOSED' })
})
