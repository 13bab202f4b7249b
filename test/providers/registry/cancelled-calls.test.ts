import { describe, expect, it } from 'vitest'
import type { Provider, ToolCall } from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { deferred } from '../../model/deferred.ts'
import { call, failing, registry, said, Toolkit } from './provider.ts'

describe('a provider that goes on when its calls are cancelled', () => {
  /** Runs `a` and `b`, and ends when the test says so. */
  const deaf = (clock: TestClock) => {
    const end = deferred<void>()
    const begun = deferred<void>()
    const tools = registry({ clock })
    const executeToolCalls = async (calls: readonly ToolCall[]) => {
      begun.resolve()
      await end.promise
      return calls.map((made) => said(made, 'made all the same'))
    }
    tools.add(failing({ executeToolCalls }), { prefix: 'deaf' })
    const next = new Toolkit('read')
    tools.add(next, { prefix: 'good' })
    const controller = new AbortController()
    const calls = [call('deaf_a'), call('good_read'), call('deaf_b')]
    const results = tools.executeToolCalls(calls, { signal: controller.signal })
    return { tools, next, end, begun: begun.promise, controller, calls, results }
  }
  const unknown = {
    is_error: true,
    content: expect.stringMatching(
      /was cancelled by the caller\. The call may have taken effect all the same/,
    ),
  }
  const notMade = { is_error: true, content: expect.stringContaining('cancelled before its turn') }

  it.each([
    ['ends', ({ end }: ReturnType<typeof deaf>) => end.resolve()],
    ['fails', ({ end }: ReturnType<typeof deaf>) => end.reject(new Error('too late'))],
  ])('is not waited for, and may have done what it was called for, whether it %s later', async (_, later) => {
    const clock = new TestClock()
    const batch = deaf(clock)
    const { tools, next, begun, controller, calls, results } = batch
    await begun
    controller.abort()
    await clock.advanceAsync(1_000)
    expect(await results).toMatchObject([unknown, notMade, unknown])
    expect((await results).map((result) => result.tool_call_id)).toEqual(calls.map(({ id }) => id))
    expect(next.batches).toEqual([])
    expect(tools.warnings).toEqual([expect.stringContaining('deaf goes on with calls that were cancelled')])
    later(batch)
    await clock.settle()
    expect(clock.pending).toBe(0)
  })

  it('has a moment to say what came of them', async () => {
    const clock = new TestClock()
    const { tools, end, begun, controller, results } = deaf(clock)
    await begun
    controller.abort()
    await clock.advanceAsync(999)
    end.resolve()
    const made = { is_error: false, content: 'made all the same' }
    expect(await results).toMatchObject([made, notMade, made])
    expect([tools.warnings, clock.pending]).toEqual([[], 0])
  })

  it('is no hindrance to those of others, where all run at once', async () => {
    const clock = new TestClock()
    const tools = registry({ clock })
    const reads = { toolAnnotations: async () => ({ readOnlyHint: true, idempotentHint: true }) }
    const begun = deferred<void>()
    const never = () => {
      begun.resolve()
      return new Promise<never>(() => {})
    }
    tools.add(failing({ ...reads, executeToolCalls: never } as Partial<Provider>), { prefix: 'deaf' })
    tools.add(failing(reads as Partial<Provider>), { prefix: 'good' })
    const controller = new AbortController()
    const { signal } = controller
    const results = tools.executeToolCalls([call('deaf_a'), call('good_a')], { signal })
    await begun.promise
    await clock.settle()
    controller.abort()
    await clock.advanceAsync(1_000)
    expect(await results).toMatchObject([unknown, { is_error: false, content: 'a was run' }])
  })
})
