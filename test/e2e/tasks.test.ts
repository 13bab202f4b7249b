import { describe, expect, it } from 'vitest'
import { CancelledError, ConfigError, InvalidResultError, ProtocolError, type Task } from '../../src/index.ts'
import { connect, failureOf, textOf } from './harness.ts'
import { error, type Line, readBy, result, type Scene, scripted } from './scripted.ts'

const task = (status: string, more: Line = {}): Line =>
  result({
    taskId: 'task-1',
    status,
    createdAt: '2026-11-30T00:00:00Z',
    ttlMs: null,
    pollIntervalMs: 20,
    ...more,
  })
const created: Scene = [
  { ...task('working'), result: { ...(task('working').result as Line), resultType: 'task' } },
]
const done: Scene = [task('completed', { result: { content: [{ type: 'text', text: 'finished' }] } })]
const question = {
  method: 'elicitation/create',
  params: { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } },
}

describe('a call that its server makes a task of', () => {
  it('is polled to its end, and tells of itself on the way', async () => {
    const { client, stderr } = connect({
      tasks: true,
      ...scripted({
        'tools/call': [created],
        'tasks/get': [[task('working', { statusMessage: 'half way' })], done],
      }),
    })
    const seen: Task[] = []
    const messages: unknown[] = []
    const options = {
      onTask: (told: Task) => seen.push(told),
      onProgress: ({ message }: { message?: string }) => messages.push(message),
    }
    expect(textOf(await client.callTool('long', {}, options))).toBe('finished')
    expect(seen.map(({ taskId, status }) => [taskId, status])).toEqual([
      ['task-1', 'working'],
      ['task-1', 'working'],
      ['task-1', 'completed'],
    ])
    expect(messages).toEqual(['half way'])
    expect(client.state.value).toEqual({ modern: 'ready' })
    await client.close()
    const polls = (await readBy(stderr)).filter(({ method }) => method === 'tasks/get')
    expect(polls.map(({ params }) => params?.taskId)).toEqual(['task-1', 'task-1'])
  })

  it('asks the same hooks, and a question that is shown twice is answered once', async () => {
    const asks: Scene = [task('input_required', { inputRequests: { go: question } })]
    const { client, stderr } = connect({
      tasks: true,
      onElicit: () => ({ action: 'accept', content: {} }),
      ...scripted({
        'tools/call': [created],
        'tasks/get': [asks, asks, done],
        'tasks/update': [[result({})]],
      }),
    })
    expect(textOf(await client.callTool('long'))).toBe('finished')
    await client.close()
    const updates = (await readBy(stderr)).filter(({ method }) => method === 'tasks/update')
    expect(updates).toHaveLength(1)
    expect(updates[0]?.params).toMatchObject({
      taskId: 'task-1',
      inputResponses: { go: { action: 'accept', content: {} } },
    })
  })

  it('is cancelled with the call, by tasks/cancel and not by a notification', async () => {
    const { client, stderr } = connect({
      tasks: true,
      ...scripted({
        'tools/call': [created],
        'tasks/get': [[task('working')]],
        'tasks/cancel': [[result({})]],
      }),
    })
    const abort = new AbortController()
    const failure = await failureOf(
      client.callTool('long', {}, { signal: abort.signal, onTask: () => abort.abort() }),
    )
    expect(failure).toBeInstanceOf(CancelledError)
    await client.ping()
    await client.close()
    const read = await readBy(stderr)
    expect(read.filter(({ method }) => method === 'tasks/cancel')).toHaveLength(1)
    expect(read.filter(({ method }) => method === 'notifications/cancelled')).toEqual([])
  })

  it('fails as the server says it did', async () => {
    const { client } = connect({
      tasks: true,
      ...scripted({
        'tools/call': [created],
        'tasks/get': [[task('failed', { error: { code: -32603, message: 'out of paper' } })]],
      }),
    })
    const failure = await failureOf(client.callTool('long'))
    expect(failure).toBeInstanceOf(ProtocolError)
    expect(failure).toMatchObject({ code: -32603, message: 'out of paper' })
  })

  it('fails when its server cancelled it, or forgot it', async () => {
    const { client } = connect({
      tasks: true,
      ...scripted({
        'tools/call': [created],
        'tasks/get': [[task('cancelled')], [error(-32602, 'no such task')]],
      }),
    })
    expect(await failureOf(client.callTool('long'))).toBeInstanceOf(CancelledError)
    expect(await failureOf(client.callTool('long'))).toMatchObject({ code: -32602 })
  })

  it('can be picked up again by its id', async () => {
    const { client } = connect({ tasks: true, ...scripted({ 'tasks/get': [[task('working')], done] }) })
    expect(textOf(await client.resumeTask('task-1'))).toBe('finished')
  })
})

describe('a client that did not declare tasks', () => {
  it('takes a task for the invalid answer it is', async () => {
    const { client } = connect(scripted({ 'tools/call': [created] }))
    expect(await failureOf(client.callTool('long'))).toBeInstanceOf(InvalidResultError)
  })

  it('resumes none', async () => {
    const { client } = connect(scripted({}))
    expect(await failureOf(client.resumeTask('task-1'))).toBeInstanceOf(ConfigError)
  })
})
