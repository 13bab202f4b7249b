import { describe, expect, it } from 'vitest'
import { Asker } from '../dispatch/harness.ts'
import { accept, Caller, capabilities, tasks, text } from './caller.ts'
import { working } from './working.ts'

describe('a call that becomes a task', () => {
  it('is answered with the task, flat, and the task in the end with its result', async () => {
    const caller = new Caller(working())
    const created = await caller.call('echo', { arguments: { text: 'hi' } })
    const shown = {
      taskId: expect.stringMatching(/^[\da-f-]{36}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUpdatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      ttlMs: 3_600_000,
      pollIntervalMs: 1_000,
      _meta: expect.any(Object),
    }
    expect(created).toEqual({ resultType: 'task', status: 'working', ...shown })
    expect(await caller.settled(String(created.taskId))).toEqual({
      resultType: 'complete',
      status: 'completed',
      ...shown,
      taskId: created.taskId,
      result: { ...text('hi'), resultType: 'complete' },
    })
  })

  it('completes when the tool failed, and fails when the protocol did', async () => {
    const caller = new Caller(working())
    expect(await caller.settled(await caller.task('fails'))).toMatchObject({
      status: 'completed',
      result: { ...text('The disk is full'), isError: true },
    })
    const failed = await caller.settled(await caller.task('refuses'))
    expect(failed).toMatchObject({
      status: 'failed',
      statusMessage: 'Not today',
      error: { code: 4711, message: 'Not today', data: { until: 'tomorrow' } },
    })
    expect(failed).not.toHaveProperty('result')
  })

  it.each([
    ['unwritable', { status: 'failed', error: { code: -32603 } }],
    ['refuses-unwritably', { status: 'failed', error: { code: 4711, message: 'Not today' } }],
    ['asks-unwritably', { status: 'completed', result: { isError: true } }],
  ])('ends where something of it cannot be written as JSON: %s', async (tool, end) => {
    const caller = new Caller(working())
    expect(await caller.settled(await caller.task(tool))).toMatchObject(end)
  })

  it('that could not even begin is an error, and no task', async () => {
    const caller = new Caller(working())
    expect(await caller.call('nothing')).toMatchObject({ error: { code: -32602 } })
    expect(await caller.call('echo', { arguments: [] })).toMatchObject({ error: { code: -32602 } })
  })

  it('takes no notice of a wish of the 2025 kind', async () => {
    const caller = new Caller(working())
    expect(await caller.call('plain', { task: { ttl: 60_000 } })).toMatchObject(text('at once'))
  })

  it('is cancelled by its client: the handler is told, and what it answers then is nothing', async () => {
    const caller = new Caller(working())
    const taskId = await caller.task('wait')
    expect(await caller.get(taskId)).toMatchObject({ status: 'working' })
    for (const _time of [1, 2])
      expect((await caller.send('tasks/cancel', { taskId })).result).toEqual({
        resultType: 'complete',
        _meta: expect.any(Object),
      })
    const cancelled = await caller.settled(taskId)
    expect(cancelled).toMatchObject({ status: 'cancelled' })
    expect(cancelled).not.toHaveProperty('result')
  })

  it('asks, is answered one by one, and goes on when all are answered', async () => {
    const caller = new Caller(working())
    const taskId = await caller.task('ask')
    const asking = await caller.settled(taskId)
    expect(asking).toMatchObject({
      status: 'input_required',
      inputRequests: { who: { method: 'elicitation/create' } },
    })
    expect(Object.keys(asking.inputRequests as object)).toEqual(['who', 'elicitation-1'])
    const update = (inputResponses: unknown) => caller.send('tasks/update', { taskId, inputResponses })
    expect(await update({ 'elicitation-1': accept({ age: 36 }), other: 7 })).toMatchObject({
      result: { resultType: 'complete' },
    })
    expect(Object.keys((await caller.get(taskId)).inputRequests as object)).toEqual(['who'])
    expect(await update({ who: accept({}) })).toMatchObject({ error: { code: -32602 } })
    expect(await update([])).toMatchObject({ error: { code: -32602 } })
    expect(await caller.get(taskId)).toMatchObject({ status: 'input_required' })
    await update({ who: accept({ name: 'Ada' }) })
    expect(await caller.settled(taskId)).toMatchObject({ status: 'completed', result: text('Ada is 36') })
    expect(await update({ who: accept({ name: 'Eve' }) })).toMatchObject({
      result: { resultType: 'complete' },
    })
  })

  it('fails where its client did not declare what it asks for', async () => {
    const caller = new Caller(working())
    const { result } = await caller.send('tools/call', { name: 'ask' }, capabilities(tasks))
    expect(await caller.settled(String(result?.taskId))).toMatchObject({
      status: 'failed',
      error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
    })
  })
})

describe('a handler that makes the task itself', () => {
  it('asks in rounds before it, and in the task after it', async () => {
    const caller = new Caller(working())
    const round = await caller.call('ask-first')
    expect(round).toMatchObject({ resultType: 'input_required' })
    expect(round).not.toHaveProperty('taskId')
    const { requestState } = round
    const inputResponses = { 'elicitation-1': accept({ name: 'Ada' }) }
    const created = await caller.call('ask-first', { requestState, inputResponses })
    expect(created).toMatchObject({ resultType: 'task', status: 'working' })
    expect(created).not.toHaveProperty('requestState')
    const taskId = String(created.taskId)
    expect(await caller.settled(taskId)).toMatchObject({
      status: 'input_required',
      statusMessage: '1 of 2',
      inputRequests: { 'elicitation-1': {} },
    })
    await caller.send('tasks/update', { taskId, inputResponses: { 'elicitation-1': accept({ age: 36 }) } })
    expect(await caller.settled(taskId)).toMatchObject({ status: 'completed', result: text('Ada is 36') })
  })

  it('may answer without one', async () => {
    const caller = new Caller(working())
    const { requestState } = await caller.call('ask-first')
    const inputResponses = { 'elicitation-1': accept({ name: 'nobody' }) }
    expect(await caller.call('ask-first', { requestState, inputResponses })).toMatchObject({
      resultType: 'complete',
      ...text('There is nothing to do'),
    })
  })

  it('has declared that it does', async () => {
    expect(await new Caller(working()).call('never-declared')).toMatchObject({
      isError: true,
      ...text('Only calls of tools with taskSupport become tasks'),
    })
  })
})

describe('a client that takes no tasks', () => {
  const undeclared = { code: -32021, data: { requiredCapabilities: tasks } }

  it('is answered at once where that can be, and else refused', async () => {
    const caller = new Caller(working())
    const none = capabilities({ elicitation: {} })
    expect(await caller.send('tools/call', { name: 'echo' }, none)).toMatchObject({
      result: { resultType: 'complete', ...text('') },
    })
    expect(await caller.send('tools/call', { name: 'only' }, none)).toMatchObject({ error: undeclared })
  })

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('is refused %s', async (method) => {
    const caller = new Caller(working())
    const params = { taskId: await caller.task('echo'), inputResponses: {} }
    expect(await caller.send(method, params, capabilities({}))).toMatchObject({ error: undeclared })
    for (const extensions of [null, 7, [], { 'io.modelcontextprotocol/tasks': true }])
      expect(await caller.send(method, params, capabilities({ extensions }))).toMatchObject({
        error: undeclared,
      })
  })

  it('may be of the legacy era, where the extension means nothing', async () => {
    const asker = new Asker(working())
    const { result } = await asker.initialize('2025-11-25', tasks)
    expect(result?.capabilities).not.toHaveProperty('extensions')
    expect(await asker.ask('tools/call', { name: 'echo' })).toMatchObject({ result: text('') })
    expect(await asker.ask('tools/call', { name: 'only' })).toMatchObject({ error: { code: -32601 } })
    expect(await asker.ask('tasks/get', { taskId: 'x' })).toMatchObject({ error: { code: -32601 } })
  })
})
