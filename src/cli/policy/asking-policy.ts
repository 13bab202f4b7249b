import type { ToolDeclaration } from '../../bridge/provider.ts'
import { toolResult } from '../../bridge/tool-result.ts'
import { Policy } from '../../providers/policy/policy.ts'
import type { PolicyOptions } from '../../providers/policy/policy-options.ts'
import type { StandingPolicy } from './standing-policy.ts'

/** A policy whose answer to a call is only whether it may be made: an error when not. `tools` are those there are. */
export function askingPolicy(
  standing: StandingPolicy,
  options: Pick<PolicyOptions, 'onAsk' | 'onWarn' | 'grantsStore'>,
  tools: () => readonly ToolDeclaration[] = () => [],
): Policy {
  const provider: PolicyOptions['provider'] = {
    toolsForLlm: async () => tools(),
    executeToolCalls: async (calls) =>
      calls.map(({ id }) => toolResult(id, { content: '', is_error: false })),
  }
  return new Policy({ ...standing, ...options, provider })
}

/** What a person at a terminal can answer: forms, and pages to go to. */
export const askable = { elicitation: { form: {}, url: {} } } as const
