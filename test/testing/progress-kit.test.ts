import { expect, it } from 'vitest'
import type { CallProgress } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { McpServer } from '../../src/server/index.ts'
import { ProgressKit, TestClock } from '../../src/testing/index.ts'

/** Calls a tool of the kit as a model does. */
function calling(
  tool: string,
  args: JsonObject,
  { clock, signal }: { clock?: TestClock; signal?: AbortSignal } = {},
) {
  const server = new McpServer({ name: 'moving' })
  server.plug(new ProgressKit({ clock }))
  const reports: CallProgress[] = []
  const calls = [{ id: 'one', function: { name: tool, arguments: args } }]
  const onProgress = (report: CallProgress) => reports.push(report)
  return { reports, results: server.executeToolCalls(calls, { onProgress, signal }) }
}

const steps = [1, 2, 3].map((progress) => ({ toolCallId: 'one', progress }))

it.each([
  ['measured', steps.map((step) => ({ ...step, total: 3, message: `${step.progress} of 3` }))],
  ['unmeasured', steps],
  ['stumbles', steps.map((step) => ({ ...step, total: 3 }))],
])('%s is heard as it says', async (tool, expected) => {
  const { reports, results } = calling(tool, { to: 3 })
  expect(await results).toMatchObject([{ content: '3 done', is_error: false }])
  expect(reports).toEqual(expected)
})

it('breaks off after its last report', async () => {
  const { reports, results } = calling('breaks_off', { to: 3 })
  expect(await results).toMatchObject([{ content: 'It broke off after 3', is_error: true }])
  expect(reports).toEqual(steps.map((step) => ({ ...step, total: 4 })))
})

it('ticks as time goes by', async () => {
  const clock = new TestClock()
  const { reports, results } = calling('tick', { times: 3, everyMs: 1_000 }, { clock })
  await clock.advanceAsync(2_999)
  expect(reports).toHaveLength(2)
  await clock.advanceAsync(1)
  expect(await results).toMatchObject([{ content: '3 ticks' }])
})

it('stops ticking when it is given up', async () => {
  const clock = new TestClock()
  const abort = new AbortController()
  const { reports, results } = calling('tick', { times: 3, everyMs: 1_000 }, { clock, signal: abort.signal })
  await clock.advanceAsync(1_000)
  abort.abort()
  expect(await results).toMatchObject([{ is_error: true, content: expect.stringContaining('cancelled') }])
  expect([reports.length, clock.pending]).toEqual([1, 0])
})
