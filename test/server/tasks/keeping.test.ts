import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { McpServer, MemoryTaskStore, type StoredTask, type TaskStore } from '../../../src/server/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { accept, Caller, tasks } from './caller.ts'
import { working } from './working.ts'

describe('the tasks of a server', () => {
  it('are declared where there may be any, and stay so', async () => {
    const server = working()
    const caller = new Caller(server)
    const { result } = await caller.send('server/discover')
    expect(result?.capabilities).toMatchObject(tasks)
    const bare = new Caller(new McpServer({ name: 'bare' }))
    expect((await bare.send('server/discover')).result?.capabilities).not.toHaveProperty('extensions')
    expect(await bare.send('tasks/get', { taskId: 'x' })).toMatchObject({ error: { code: -32601 } })
  })

  it.each([undefined, 7, '', 'x'.repeat(100_000), '__proto__'])('do not include %j', async (taskId) => {
    const caller = new Caller(working())
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect(await caller.send(method, { taskId, inputResponses: {} })).toMatchObject({
        error: { code: -32602 },
      })
  })

  it.each(['tasks/result', 'tasks/list'])('have no %s', async (method) => {
    expect(await new Caller(working()).send(method, { taskId: 'x' })).toMatchObject({
      error: { code: -32601 },
    })
  })

  it('outlive their tool', async () => {
    const server = working()
    const caller = new Caller(server)
    const unregister = server.tool('short-lived', { taskSupport: 'required' }, () => 'done')
    const taskId = await caller.task('short-lived')
    unregister()
    expect(await caller.settled(taskId)).toMatchObject({ status: 'completed' })
  })

  it('are kept for their time, and work that is not done by then is aborted', async () => {
    const clock = new TestClock()
    const caller = new Caller(working({ clock, tasks: { ttlMs: 5_000, pollIntervalMs: 20 } }))
    const [done, running] = [await caller.task('echo'), await caller.task('wait')]
    await clock.advanceAsync(4_999)
    expect(await caller.get(done)).toMatchObject({ status: 'completed', ttlMs: 5_000, pollIntervalMs: 20 })
    expect(await caller.get(running)).toMatchObject({ status: 'working' })
    await clock.advanceAsync(1)
    for (const taskId of [done, running])
      expect(await caller.get(taskId)).toMatchObject({ error: { code: -32602 } })
    expect(clock.pending).toBe(0)
  })

  it('that are over are held by their store alone, which is told when their time is over', async () => {
    const store = new TextStore()
    const server = working({ tasks: { store } })
    const caller = new Caller(server)
    const tools = ['echo', 'refuses', 'ask-and-go', 'starts-itself']
    for (const tool of tools) await caller.settled(await caller.task(tool))
    await caller.settled('none')
    collectGarbage()
    expect(store.ends.map((end) => end.deref())).toEqual(tools.map(() => undefined))
    await server.close()
  })

  it('can be asked for, answered and cancelled when they are over, and stay as they were', async () => {
    const clock = new TestClock()
    const store = new TextStore()
    const caller = new Caller(working({ clock, tasks: { store, ttlMs: 5_000 } }))
    for (const tool of ['echo', 'refuses', 'ask-and-go']) {
      const taskId = await caller.task(tool)
      const ended = await caller.settled(taskId)
      const inputResponses = { who: accept({ name: 'Ada' }) }
      for (const method of ['tasks/update', 'tasks/cancel'])
        expect(await caller.send(method, { taskId, inputResponses })).toMatchObject({ result: {} })
      expect(await caller.settled(taskId)).toEqual(ended)
    }
    expect([clock.pending, store.size]).toEqual([3, 3])
    await clock.advanceAsync(5_000)
    expect([clock.pending, store.size]).toEqual([0, 0])
  })

  it('that are over leave nothing behind a server that is closed', async () => {
    const clock = new TestClock()
    const server = working({ clock })
    const caller = new Caller(server)
    await caller.settled(await caller.task('echo'))
    await server.close()
    expect(clock.pending).toBe(0)
  })

  it('fail whose results do not fit any more, and the others go on', async () => {
    const caller = new Caller(working({ tasks: { store: new MemoryTaskStore({ maxBytes: 5_000 }) } }))
    const running = await caller.task('wait')
    const large = await caller.settled(await caller.task('echo', { arguments: { text: 'ü'.repeat(2_500) } }))
    expect(large).toMatchObject({
      status: 'failed',
      error: { code: -32603, message: expect.stringMatching(/^There is no room for its 5\d\d\d bytes/) },
    })
    expect(large).not.toHaveProperty('result')
    expect(await caller.get(running)).toMatchObject({ status: 'working' })
    expect(await caller.settled(await caller.task('echo'))).toMatchObject({ status: 'completed' })
  })

  it('can still be asked for where both their store and the log fail', async () => {
    const store = new TextStore()
    const onLog = () => {
      throw new Error('The disk is full')
    }
    const clock = new TestClock()
    const caller = new Caller(working({ clock, onLog, tasks: { store, ttlMs: 5_000 } }))
    const taskId = await caller.task('ask')
    const asking = await caller.settled(taskId)
    const answer = (inputResponses: JsonObject) => caller.send('tasks/update', { taskId, inputResponses })
    store.fault = new Error('busy')
    await answer({ who: accept({ name: 'Ada' }) })
    expect(await caller.settled(taskId)).toEqual(asking)
    store.fault = undefined
    await answer({ 'elicitation-1': accept({ age: 36 }) })
    expect(await caller.settled(taskId)).toMatchObject({ status: 'completed' })
    store.fault = new Error('busy')
    await clock.advanceAsync(5_000)
    expect(clock.pending).toBe(0)
  })

  it('are so many at most, and the next call is refused before it does anything', async () => {
    const caller = new Caller(working({ tasks: { store: new MemoryTaskStore({ maxTasks: 1 }) } }))
    const first = await caller.task('wait')
    expect(await caller.call('wait')).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('1 tasks are kept already') },
    })
    expect(await caller.get(first)).toMatchObject({ status: 'working' })
  })

  it('end with the server', async () => {
    const clock = new TestClock()
    const server = working({ clock })
    const caller = new Caller(server)
    const taskId = await caller.task('wait')
    await server.close()
    expect(await caller.settled(taskId)).toMatchObject({ status: 'cancelled' })
    expect(clock.pending).toBe(0)
  })

  it('are not begun while it closes', async () => {
    const store = new SlowStore()
    const clock = new TestClock()
    const server = working({ clock, tasks: { store } })
    const caller = new Caller(server)
    const called = caller.call('wait')
    await server.close()
    expect(await called).toMatchObject({ error: { message: 'The server is closed' } })
    expect({ pending: clock.pending, kept: store.size }).toEqual({ pending: 0, kept: 0 })
  })

  it('are written as they stand when a slow store comes to it, however much they tell meanwhile', async () => {
    const store = new SlowStore()
    const server = working({ tasks: { store } })
    server.tool('tells', { taskSupport: 'optional' }, async (_, context) => {
      for (let progress = 1; progress <= 1_000; progress += 1) {
        context.progress({ progress })
        await Promise.resolve()
      }
      return 'told'
    })
    const caller = new Caller(server)
    expect(await caller.settled(await caller.task('tells'))).toMatchObject({ status: 'completed' })
    expect(store.saves).toBeLessThan(100)
  })

  it('can be read from a store that outlives them, and acted on where they run alone', async () => {
    const store = new SlowStore()
    const [one, other] = [working({ tasks: { store } }), working({ tasks: { store } })].map(
      (server) => new Caller(server),
    )
    const taskId = String(await one?.task('wait'))
    expect(await other?.get(taskId)).toMatchObject({ status: 'working' })
    expect(await other?.send('tasks/cancel', { taskId })).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('does not run in this process') },
    })
    await one?.send('tasks/cancel', { taskId })
    expect(await one?.get(taskId)).toMatchObject({ status: 'cancelled' })
    expect(await other?.get(taskId)).toMatchObject({ status: 'cancelled' })
    expect(await other?.send('tasks/cancel', { taskId })).toMatchObject({ result: {} })
    expect(store.overlaps).toBe(0)
  })
})

/** What nobody holds is gone after it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Holds nothing of what it is given; `ends` does not keep what tasks ended with from being collected. */
class TextStore implements TaskStore {
  readonly ends: WeakRef<object>[] = []
  readonly #texts = new Map<string, string>()
  fault: Error | undefined

  get size(): number {
    return this.#texts.size
  }

  save(stored: StoredTask): void {
    if (this.fault) throw this.fault
    const { taskId, result, error } = stored.task
    const end = result ?? error
    if (end) this.ends.push(new WeakRef(end))
    this.#texts.set(taskId, JSON.stringify(stored))
  }

  find(taskId: string): StoredTask | undefined {
    const text = this.#texts.get(taskId)
    return text === undefined ? undefined : JSON.parse(text)
  }

  delete(taskId: string): void {
    if (this.fault) throw this.fault
    this.#texts.delete(taskId)
  }
}

/** Takes its time; writes of one task must not overtake each other. */
class SlowStore implements TaskStore {
  readonly #tasks = new Map<string, StoredTask>()
  readonly #saving = new Set<string>()
  overlaps = 0
  saves = 0

  get size(): number {
    return this.#tasks.size
  }

  async save(stored: StoredTask): Promise<void> {
    const { taskId } = stored.task
    this.saves += 1
    if (this.#saving.has(taskId)) this.overlaps += 1
    this.#saving.add(taskId)
    await new TestClock().settle()
    this.#saving.delete(taskId)
    this.#tasks.set(taskId, structuredClone(stored))
  }

  async find(taskId: string): Promise<StoredTask | undefined> {
    await new TestClock().settle()
    return this.#tasks.get(taskId)
  }

  async delete(taskId: string): Promise<void> {
    this.#tasks.delete(taskId)
  }
}
