import process from 'node:process'
import type { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { McpClient } from '../../../src/index.ts'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { McpServer, type McpServerOptions } from '../../../src/server/index.ts'
import { InProcessTransport, TestClock } from '../../../src/testing/index.ts'
import { connect, failureOf, pathOf, textOf } from '../../e2e/harness.ts'
import { deferred } from '../../model/deferred.ts'
import { handlers, heavy } from './heavy.ts'

const tsxInThreads = new URL('../../setup/tsx-in-threads.mjs', import.meta.url).href

/** A client in front of a server, whose threads are counted; when the test ends none may be left. */
function open(options: Partial<McpServerOptions> = {}, more: JsonObject = {}) {
  const threads: Thread[] = []
  const count = (worker: Worker) =>
    threads.push({ worker, exited: new Promise((resolve) => worker.once('exit', resolve)) })
  process.on('worker', count)
  const server = heavy(options)
  const client = McpClient.connectStdio({ transport: new InProcessTransport(server), ...more })
  onTestFinished(async () => {
    await client.close()
    await server.close()
    process.off('worker', count)
    await Promise.all(threads.map(({ exited }) => exited))
    expect(threads.every(({ worker }) => worker.threadId === -1)).toBe(true)
  })
  return { server, client, threads }
}

interface Thread {
  readonly worker: Worker
  readonly exited: Promise<unknown>
}

describe('a tool whose handler is in a module', () => {
  it('runs in a thread of its own pool, again and again in the same', async () => {
    const { client, threads } = open()
    expect(threads).toHaveLength(0)
    const answers = [20, 21].map((n) => client.callTool('fibonacci', { n }))
    const [first, second] = (await Promise.all(answers)).map(
      ({ structuredContent }) => structuredContent as JsonObject,
    )
    expect([first?.fibonacci, second?.fibonacci]).toEqual([6_765, 10_946])
    expect(first?.threadId).toBe(second?.threadId)
    expect(threads.map(({ worker }) => worker.threadId)).toEqual([first?.threadId])
  })

  it('gets arguments that fit, and is listed without a word of all this', async () => {
    const { client, threads } = open()
    expect(await client.callTool('fibonacci', { n: 'many' })).toMatchObject({ isError: true })
    const tools = await client.listTools()
    expect(tools.find(({ name }) => name === 'hurried')).toEqual({
      name: 'hurried',
      inputSchema: { type: 'object', additionalProperties: false },
    })
    expect(threads).toHaveLength(0)
  })

  it('tells progress and log lines, all of them before its answer', async () => {
    const logged: unknown[] = []
    const sunk: unknown[] = []
    const { client } = open(
      { onLog: ({ data }) => sunk.push(data) },
      { logLevel: 'info', onLog: ({ data }: { data: unknown }) => logged.push(data) },
    )
    const reports: number[] = []
    const onProgress = ({ progress }: { progress: number }) => reports.push(progress)
    expect(textOf(await client.callTool('talk', {}, { onProgress }))).toBe('modern mcp-troupe')
    expect(reports).toEqual([1, 2, 3])
    expect(logged).toEqual([1, 2, 3].map((step) => ({ step, isWanted: false })))
    expect(sunk).toEqual(logged)
  })

  it('that fails in any way is a failure that a model can read, and its thread goes on', async () => {
    const { client, threads } = open()
    const failures = [
      ['fails', 'The disk is full'],
      ['answersNoJson', 'BigInt'],
      ['answersNothing', 'answered with nothing, which is no answer'],
      ['logsNoJson', 'BigInt'],
      ['noFunction', 'exports no function as noFunction'],
      ['toString', 'exports no function as toString'],
      ['broken', 'cannot be loaded: This module never loads'],
    ] as const
    for (const [tool, words] of failures)
      expect(await client.callTool(tool)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining(words) }],
      })
    expect(await failureOf(client.callTool('refuses'))).toMatchObject({
      code: 4711,
      message: 'Not today',
      data: { until: 'tomorrow' },
    })
    expect(await client.callTool('fibonacci', { n: 1 })).toMatchObject({
      structuredContent: { fibonacci: 1 },
    })
    expect(threads).toHaveLength(1)
  })

  it.each([
    ['exits', 'exited with code: 3'],
    ['throwsLater', 'Nobody caught this'],
    ['rejectsLater', 'Nobody awaited this'],
    ['eats', 'more memory than its thread has, 32 MiB'],
  ])('that %s takes its thread down, and nothing else', async (tool, words) => {
    const { client, threads } = open()
    const [crash, waiting] = await Promise.all([
      client.callTool(tool),
      client.callTool('fibonacci', { n: 10 }),
    ])
    expect(crash).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(new RegExp(`^${tool} crashed.*${words}`)) }],
    })
    expect(waiting).toMatchObject({ structuredContent: { fibonacci: 55 } })
    await threads[0]?.exited
    expect(threads).toHaveLength(2)
  })

  it('is stopped in the middle of its work when the call is taken back', async () => {
    const { client, threads } = open()
    const abort = new AbortController()
    const call = client.callTool('spin', {}, { signal: abort.signal, onProgress: () => abort.abort() })
    expect(await failureOf(call)).toMatchObject({ code: 'CANCELLED' })
    await threads[0]?.exited
    expect(await client.callTool('fibonacci', { n: 1 })).toMatchObject({
      structuredContent: { fibonacci: 1 },
    })
  })

  it('that tells without end waits for its host, and is stopped all the same', async () => {
    const { client, threads } = open()
    const abort = new AbortController()
    let reports = 0
    const onProgress = () => {
      reports += 1
      if (reports === 3_000) abort.abort()
    }
    const call = client.callTool('tellsWithoutEnd', {}, { signal: abort.signal, onProgress })
    expect(await failureOf(call)).toMatchObject({ code: 'CANCELLED' })
    await threads[0]?.exited
    expect(textOf(await client.callTool('tellsAfterItsEnd'))).toBe('said')
    expect(await client.callTool('fibonacci', { n: 1 })).toMatchObject({
      structuredContent: { fibonacci: 1 },
    })
  })

  it('is never begun when the call is taken back before', async () => {
    const { client, threads } = open()
    const spinning = new AbortController()
    const waiting = new AbortController()
    const began = deferred<void>()
    const onProgress = () => began.resolve()
    const first = failureOf(client.callTool('spin', {}, { signal: spinning.signal, onProgress }))
    await began.promise
    const second = failureOf(client.callTool('exits', {}, { signal: waiting.signal }))
    waiting.abort()
    await second
    spinning.abort()
    await first
    await threads[0]?.exited
    expect(await client.callTool('fibonacci', { n: 1 })).toMatchObject({
      structuredContent: { fibonacci: 1 },
    })
    expect(threads).toHaveLength(2)
  })

  it('is stopped when its time is up, which runs from when a thread has it', async () => {
    const clock = new TestClock()
    const { client, threads } = open({ clock })
    const began = deferred<void>()
    const call = client.callTool('hurried', {}, { onProgress: () => began.resolve() })
    await began.promise
    clock.advance(499)
    expect(clock.pending).toBe(1)
    clock.advance(1)
    expect(await call).toMatchObject({
      isError: true,
      content: [
        {
          text: 'hurried was not answered within 500 ms (raise the timeoutMs of its definition if it needs longer)',
        },
      ],
    })
    await threads[0]?.exited
    expect(clock.pending).toBe(0)
  })

  it('may be a task, whose progress is what it says of itself, and which is stopped when it is cancelled', async () => {
    const { client, threads } = open({ tasks: { pollIntervalMs: 20 } }, { tasks: true })
    expect(await client.callTool('fibonacci', { n: 10 })).toMatchObject({
      structuredContent: { fibonacci: 55 },
    })
    const abort = new AbortController()
    const onProgress = ({ message }: { message?: string }) => {
      if (message === 'spinning') abort.abort()
    }
    const call = client.callTool('spin', {}, { signal: abort.signal, onProgress })
    expect(await failureOf(call)).toMatchObject({ code: 'CANCELLED' })
    await threads[0]?.exited
  })

  it('ends with its server, also in the middle', async () => {
    const { server, client, threads } = open()
    const began = deferred<void>()
    const call = client.callTool('spin', {}, { onProgress: () => began.resolve() })
    await began.promise
    await server.close()
    expect(await call).toMatchObject({
      isError: true,
      content: [{ text: 'spin was not run to its end: the server is closed' }],
    })
    await threads[0]?.exited
    expect(await client.callTool('spin')).toMatchObject({
      isError: true,
      content: [{ text: 'The server is closed' }],
    })
    expect(textOf(await client.callTool('here'))).toBe('alive')
  })
})

describe('a program with such tools on stdio', () => {
  const program = pathOf('../server/programs/heavy.ts')

  it('keeps stdout for the protocol, and ends with its client', async () => {
    const args = ['--import', 'tsx', '--import', tsxInThreads, program]
    const { client, warnings, stderr } = connect({ command: process.execPath, args, probeTimeoutMs: 60_000 })
    expect(textOf(await client.callTool('prints'))).toBe('printed')
    await stderr.first((line) => line.includes('this belongs on stderr'))
    expect(warnings.all).toEqual([])
  })

  it('says so where no thread can be started', async () => {
    const before = new URL('../../fixtures/threads/none-starts.mjs', import.meta.url).href
    const args = ['--import', 'tsx', '--import', before, program]
    const { client } = connect({ command: process.execPath, args, probeTimeoutMs: 60_000 })
    const calls = [1, 2].map((n) => client.callTool('fibonacci', { n }))
    for (const answer of [...(await Promise.all(calls)), await client.callTool('talk')])
      expect(answer).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('no thread may start here') }],
      })
    expect(textOf(await client.callTool('here'))).toBe('alive')
  })
})

describe('registering a module', () => {
  const server = new McpServer({ name: 'checked' })

  it.each([
    [handlers('x', 'missing'), 'is in no file'],
    [new URL('./', import.meta.url), 'is in no file'],
    [new URL('https://example.com/heavy.js'), 'must be the URL of a file'],
    ['./heavy.js', 'must be a function'],
  ])('%s is refused', (module, words) => {
    expect(() => server.tool('heavy', {}, module as URL)).toThrow(words)
  })

  it('is what timeoutMs is for', () => {
    expect(() => server.tool('light', { timeoutMs: 5 }, () => '')).toThrow('timeoutMs')
    expect(() => server.tool('light', { timeoutMs: 0 }, handlers('spin'))).toThrow('timeoutMs')
    expect(() => server.tool('light', { taskStart: 'handler' }, () => '')).toThrow('needs taskSupport')
    expect(() => server.tool('light', { taskSupport: 'sometimes' as never }, () => '')).toThrow('taskSupport')
  })

  it.each([
    [{ threads: { memoryMb: 8 } }, 'threads.memoryMb'],
    [{ threads: { maxThreads: 0 } }, 'threads.maxThreads'],
    [{ tasks: { ttlMs: 2 ** 31 } }, 'tasks.ttlMs'],
    [{ tasks: { store: {} } }, 'tasks.store'],
    [{ tasks: { poll: 5 } }, 'tasks.poll'],
  ])('of a server with %j fails', (options, words) => {
    expect(() => new McpServer({ name: 'bad', ...(options as object) })).toThrow(words)
  })
})
