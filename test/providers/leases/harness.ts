import { Leases, type LeasesOptions, LeaseTable, type ToolCall, type ToolResult } from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { call } from '../registry/provider.ts'
import { MemoryFiles } from './memory-files.ts'

/** Agents at work on the same files. */
export function workspace(files: { readonly [path: string]: string } = {}) {
  const clock = new TestClock()
  const table = new LeaseTable({ clock })
  const inner = new MemoryFiles(files)
  const agent = (agentId: string, options: Partial<LeasesOptions> = {}) =>
    new Leases({ inner, table, agentId, roots: { '': '/w' }, clock, ...options })
  return { clock, table, inner, agent }
}

/** Others are at work. */
export const strict = { concurrent: () => 2 }

export async function run(agent: Leases, ...calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
  return agent.executeToolCalls(calls)
}

/** What comes of one call. */
export async function does(
  agent: Leases,
  name: string,
  args: ToolCall['function']['arguments'] = {},
): Promise<ToolResult> {
  const [result] = await run(agent, call(name, args))
  if (!result) throw new Error(`${name} was not answered`)
  return result
}
