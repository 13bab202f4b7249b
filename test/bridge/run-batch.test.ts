import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/bridge/provider.ts'
import type { ReadyCall } from '../../src/bridge/read-call.ts'
import { type BatchOptions, runBatch } from '../../src/bridge/run-batch.ts'
import { type Deferred, deferred } from '../model/deferred.ts'
import { json, jsonObject } from '../protocol/arbitraries.ts'

/** What a JavaScript application, or a model, may pass where the types forbid it. */
const untyped = (value: unknown) => value as never

function call(id: string, name = 'read', args: ToolCall['function']['arguments'] = {}): ToolCall {
  return { id, function: { name, arguments: args } }
}

/** Says what it was asked, and waits until it may. */
class Desk {
  readonly begun: ReadyCall[] = []
  readonly #open: Deferred<void>[] = []

  readonly execute: BatchOptions['execute'] = async (begun) => {
    this.begun.push(begun)
    const answer = deferred<void>()
    this.#open.push(answer)
    await answer.promise
    return { content: `${begun.name} ${JSON.stringify(begun.arguments)}`, is_error: false }
  }

  get open(): number {
    return this.#open.length
  }

  /** Lets one of the open calls answer, and what follows from that happen. */
  async release(index: number): Promise<void> {
    const [answer] = this.#open.splice(index, 1)
    answer?.resolve()
    await settled()
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const safe = { isParallel: () => true }
const unsafe = { isParallel: () => false }
const instantly: BatchOptions['execute'] = async ({ name, arguments: args }) => ({
  content: `${name} ${JSON.stringify(args)}`,
  is_error: false,
})

describe('a batch', () => {
  it('runs one call after the other', async () => {
    const desk = new Desk()
    const batch = runBatch([call('a', 'write'), call('b'), call('c')], { ...unsafe, execute: desk.execute })
    const seen: string[] = []
    for (const id of ['a', 'b', 'c']) {
      await settled()
      seen.push(desk.begun.map((begun) => begun.id).join(''))
      expect([desk.open, desk.begun.at(-1)?.id]).toEqual([1, id])
      await desk.release(0)
    }
    expect(seen).toEqual(['a', 'ab', 'abc'])
    expect((await batch).map(({ tool_call_id }) => tool_call_id)).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['one of its tools may not', (tool: string) => tool !== 'write'],
    ['nobody can tell', () => Promise.reject(new Error('no list'))],
    ['telling fails', () => expectThrow()],
  ])('is a sequence when %s', async (_, isParallel) => {
    const desk = new Desk()
    const batch = runBatch([call('a'), call('b', 'write')], { isParallel, execute: desk.execute })
    await settled()
    expect(desk.open).toBe(1)
    await desk.release(0)
    expect(desk.open).toBe(1)
    await desk.release(0)
    expect(await batch).toHaveLength(2)
  })

  it('is a sequence when a call names no tool', async () => {
    const desk = new Desk()
    const calls = [call('a'), untyped({ id: 'b' }), call('c')]
    const batch = runBatch(calls, { ...safe, execute: desk.execute })
    await settled()
    expect(desk.begun.map(({ id }) => id)).toEqual(['a'])
    await desk.release(0)
    await desk.release(0)
    expect((await batch).map(({ is_error }) => is_error)).toEqual([false, true, false])
  })

  it('of tools that may runs as many at once as it is told, and answers in the order of the calls', async () => {
    const desk = new Desk()
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => call(id, 'read', { id }))
    const batch = runBatch(calls, { ...safe, toolConcurrency: 3, execute: desk.execute })
    await settled()
    expect(desk.open).toBe(3)
    await desk.release(2)
    expect([desk.open, desk.begun.at(-1)?.id]).toEqual([3, 'd'])
    for (const left of [3, 3, 2, 1, 0]) {
      await desk.release(desk.open - 1)
      expect(desk.open).toBe(left)
    }
    expect((await batch).map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, `read {"id":"${id}"}`]),
    )
  })

  it('runs four at once by default, and none beside another at a concurrency of one', async () => {
    const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => call(id, 'read', { id }))
    for (const [toolConcurrency, atOnce] of [
      [undefined, 4],
      [1, 1],
    ]) {
      const desk = new Desk()
      const batch = runBatch(calls, { ...safe, toolConcurrency, execute: desk.execute })
      await settled()
      expect(desk.open).toBe(atOnce)
      while (desk.open > 0) await desk.release(0)
      await batch
    }
  })

  it('of tools that may asks once for what is asked twice, however it is written', async () => {
    const desk = new Desk()
    const batch = runBatch(
      [
        call('a', 'read', { path: '/x', deep: { one: 1, two: 2 } }),
        call('b', 'read', '{"deep": {"two": 2, "one": 1}, "path": "/x"}'),
        call('c', 'list', { path: '/x', deep: { one: 1, two: 2 } }),
        { ...call('d', 'read', { path: '/x', deep: { one: 1, two: 2 } }), meta: { trace: 1 } },
        call('a', 'read', { path: '/y' }),
      ],
      { ...safe, execute: desk.execute },
    )
    await settled()
    expect(desk.begun.map(({ id }) => id)).toEqual(['a', 'c', 'd', 'a'])
    while (desk.open > 0) await desk.release(0)
    const results = await batch
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(['a', 'b', 'c', 'd', 'a'])
    expect(results[1]?.content).toBe(results[0]?.content)
    expect(results[4]?.content).toBe('read {"path":"/y"}')
  })

  it('that is a sequence asks twice for what is asked twice', async () => {
    const begun: string[] = []
    const execute: BatchOptions['execute'] = (ready) => {
      begun.push(ready.id)
      return instantly(ready)
    }
    await runBatch([call('a', 'write'), call('b', 'write')], { ...unsafe, execute })
    expect(begun).toEqual(['a', 'b'])
  })

  it('does not ask whether it may when nothing depends on it', async () => {
    const isParallel = () => expect.fail('was asked')
    const options = { isParallel, execute: instantly }
    expect(await runBatch([], options)).toEqual([])
    expect(await runBatch([call('a')], options)).toMatchObject([{ is_error: false }])
    expect(await runBatch([call('a'), call('b')], { ...options, toolConcurrency: 1 })).toHaveLength(2)
  })
})

describe('an abort', () => {
  it.each([
    ['a sequence', unsafe],
    ['a batch that runs at once', safe],
  ])('ends %s: what has not begun never does, and says so', async (_, { isParallel }) => {
    const abort = new AbortController()
    const desk = new Desk()
    const calls = ['a', 'b', 'c'].map((id) => call(id, 'read', { id }))
    const { signal } = abort
    const batch = runBatch(calls, { isParallel, toolConcurrency: 2, signal, execute: desk.execute })
    await settled()
    const begun = desk.open
    abort.abort()
    while (desk.open > 0) await desk.release(0)
    const results = await batch
    expect(desk.begun).toHaveLength(begun)
    for (const result of results.slice(begun))
      expect(result).toMatchObject({ is_error: true, content: expect.stringContaining('was not made') })
    expect(results.slice(0, begun).every(({ is_error }) => !is_error)).toBe(true)
  })

  it('that came before answers every call at once', async () => {
    const desk = new Desk()
    const options = { ...safe, signal: AbortSignal.abort(), execute: desk.execute }
    const results = await runBatch([call('a'), untyped(null), call('b')], options)
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, true])
    expect(desk.begun).toEqual([])
  })
})

describe('a call that cannot be made', () => {
  it.each([
    ['a hole in the list', undefined, '', 'a call must be an object'],
    ['nothing', null, '', 'a call must be an object'],
    ['text', 'read', '', 'a call must be an object'],
    ['a list', [], '', 'a call must be an object'],
    ['without an id', { function: { name: 'read', arguments: '' } }, '', '`id` must be a string'],
    ['with a number for its id', { id: 5, function: { name: 'read', arguments: '' } }, '5', '`id` must be'],
    ['without a function', { id: 'a' }, 'a', '`function` must be an object'],
    ['with text for its function', { id: 'a', function: 'read' }, 'a', '`function` must be an object'],
    ['without a name', { id: 'a', function: { arguments: '' } }, 'a', '`function.name` must be a string'],
    ['with a number for its name', { id: 'a', function: { name: 1 } }, 'a', '`function.name` must be'],
    ['without arguments', { id: 'a', function: { name: 'read' } }, 'a', 'a JSON object, not undefined'],
    ['with null for them', call('a', 'read', untyped(null)), 'a', 'a JSON object, not null'],
    ['with a number for them', call('a', 'read', untyped(5)), 'a', 'a JSON object, not a number'],
    ['with a list for them', call('a', 'read', untyped([])), 'a', 'a JSON object, not an array'],
    [
      'with text that is no JSON',
      call('a', 'read', '{"path": '),
      'a',
      'of read was not made: its arguments are',
    ],
    ['with JSON that is no object', call('a', 'read', '"/x"'), 'a', 'a JSON object, not a string'],
    ['with a list as JSON', call('a', 'read', '[1]'), 'a', 'a JSON object, not an array'],
    ['with blank text', call('a', 'read', ' '), 'a', 'its arguments are not JSON'],
    ['with text for its meta', { ...call('a'), meta: 'x' }, 'a', '`meta` must be an object'],
  ])('(%s) answers with what is wrong', async (_, given, id, complaint) => {
    const execute = () => expect.fail('was made')
    const [result, ...others] = await runBatch(given === undefined ? new Array(1) : [untyped(given)], {
      ...safe,
      execute,
    })
    expect(others).toEqual([])
    expect(result).toEqual({
      role: 'tool',
      tool_call_id: id,
      content: expect.stringContaining(complaint),
      is_error: true,
    })
  })

  it('takes none with it', async () => {
    const execute: BatchOptions['execute'] = async (ready) => {
      if (ready.name === 'broken') throw new Error('it broke')
      return instantly(ready)
    }
    for (const batch of [safe, unsafe]) {
      const calls = [call('a'), call('b', 'broken'), call('c', 'read', ''), call('d', 'read', '[')]
      const results = await runBatch(calls, { ...batch, execute })
      expect(results.map(({ content }) => content)).toEqual([
        'read {}',
        'it broke.',
        'read {}',
        expect.stringContaining('not JSON'),
      ])
    }
  })
})

const anyCall = fc.oneof(
  fc.record({
    id: fc.string(),
    function: fc.record({
      name: fc.constantFrom('read', 'list', 'write'),
      arguments: fc.oneof(jsonObject, json),
    }),
  }),
  json,
)

describe('whatever a model asks for', () => {
  it('is answered once each, in order, under its own id, by an execution of just that call', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyCall, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        fc.scheduler(),
        async (calls, toolConcurrency, isParallel, scheduler) => {
          let open = 0
          let mostOpen = 0
          const execute: BatchOptions['execute'] = async (ready) => {
            mostOpen = Math.max(mostOpen, ++open)
            await scheduler.schedule(Promise.resolve())
            open -= 1
            return instantly(ready)
          }
          const options = { toolConcurrency, isParallel: () => isParallel, execute }
          const results = await scheduler.waitFor(runBatch(untyped(calls), options))
          const alone = await Promise.all(
            calls.map((one) => runBatch([untyped(one)], { ...unsafe, execute: instantly })),
          )
          expect(results.map(canonical)).toEqual(alone.flat().map(canonical))
          expect(mostOpen).toBeLessThanOrEqual(isParallel ? toolConcurrency : 1)
        },
      ),
    )
  })

  it('is asked no more often than there are different calls, when they may run at once', async () => {
    const some = fc.record({ name: fc.constantFrom('read', 'list'), path: fc.constantFrom('/a', '/b') })
    await fc.assert(
      fc.asyncProperty(fc.array(some, { minLength: 2, maxLength: 12 }), async (wanted) => {
        const made: string[] = []
        const execute: BatchOptions['execute'] = (ready) => {
          made.push(`${ready.name} ${ready.arguments.path}`)
          return instantly(ready)
        }
        const calls = wanted.map(({ name, path }, index) => call(String(index), name, { path }))
        const results = await runBatch(calls, { ...safe, execute })
        expect(made.toSorted()).toEqual(
          [...new Set(wanted.map(({ name, path }) => `${name} ${path}`))].toSorted(),
        )
        expect(results.map(({ content }) => content)).toEqual(
          wanted.map(({ name, path }) => `${name} {"path":"${path}"}`),
        )
      }),
    )
  })
})

/** Identical calls are answered with the first one's arguments, whose members may stand in another order. */
function canonical({ content, ...result }: { readonly content: string }) {
  return { ...result, content: [...content].toSorted().join('') }
}

function expectThrow(): never {
  throw new Error('no list')
}
