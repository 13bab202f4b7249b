import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { Pipes } from '../stdio/pipes.ts'
import { working } from './working.ts'

const tasks = { 'io.modelcontextprotocol/tasks': {} }
const declaring = {
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: tasks },
}
const meta = { 'io.modelcontextprotocol/subscriptionId': 'sub' }

class Listener {
  readonly pipes = new Pipes(working())
  #asked = 0

  async ask(method: string, params: JsonObject): Promise<JsonObject> {
    const id = `ask-${++this.#asked}`
    this.pipes.modern(id, method, params, declaring)
    const { result } = await this.pipes.answer(id)
    return result as JsonObject
  }

  async task(name: string): Promise<string> {
    return String((await this.ask('tools/call', { name })).taskId)
  }

  listen(taskIds: unknown, capabilities: JsonObject = declaring): void {
    this.pipes.modern('sub', 'subscriptions/listen', { notifications: { taskIds } }, capabilities)
  }

  told(what: string): Promise<string> {
    return this.pipes.lines.first((line) => line.includes('"method"') && line.includes(what))
  }

  get notes(): readonly JsonObject[] {
    return this.pipes.messages.filter(({ method }) => method !== undefined)
  }
}

describe('who listens for a task', () => {
  it('is told how it stands, and of every change, as tasks/get would', async () => {
    const listener = new Listener()
    const taskId = await listener.task('ask')
    listener.listen([taskId, taskId, 'unknown', 7])
    await listener.told('input_required')
    const inputResponses = {
      who: { action: 'accept', content: { name: 'Ada' } },
      'elicitation-1': { action: 'accept', content: { age: 36 } },
    }
    await listener.ask('tasks/update', { taskId, inputResponses })
    await listener.told('completed')
    const { resultType: _type, _meta, ...shown } = await listener.ask('tasks/get', { taskId })
    const [acknowledged, ...told] = listener.notes
    expect(acknowledged).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId] }, _meta: meta },
    })
    expect(told.map(({ params }) => (params as JsonObject).status)).toEqual([
      'input_required',
      'working',
      'completed',
    ])
    expect(told.at(-1)).toMatchObject({ method: 'notifications/tasks', params: { ...shown, _meta: meta } })
  })

  it('is told how it ended where it has ended', async () => {
    const listener = new Listener()
    const taskId = await listener.task('echo')
    listener.listen([taskId])
    await listener.told('completed')
    expect(listener.notes).toHaveLength(2)
  })

  it('takes tasks, and names them', async () => {
    const listener = new Listener()
    listener.listen(['x'], {})
    expect(await listener.pipes.answer('sub')).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { extensions: tasks } } },
    })
  })

  it.each([[['unknown']], ['none'], [null]])('is honoured in nothing by %j', async (taskIds) => {
    const listener = new Listener()
    listener.listen(taskIds)
    await listener.told('acknowledged')
    expect(listener.notes).toMatchObject([{ params: { notifications: {} } }])
  })
})
