import { failed, type ToolOutcome } from '../../bridge/tool-result.ts'
import type { Evaluation } from './rule-set.ts'

/** What a model reads of calls that were not made: what happened, and what it can do. */
export const refusals = {
  denied(tool: string, { reason, rule }: Evaluation): ToolOutcome {
    const why = rule?.note ? `: ${rule.note}` : ''
    const unclear = reason === 'unevaluable-path' ? ` ${plainPath}` : ''
    return failed(
      `Permission denied: the rules here refuse this call of ${tool}${why}.${unclear} ${doWithout}`,
    )
  },
  deniedByGrant: (tool: string): ToolOutcome =>
    failed(`Permission denied: the user has refused such calls of ${tool} for good. ${doWithout}`),
  deniedByPerson: (tool: string): ToolOutcome =>
    failed(
      `Permission denied: the user refused this call of ${tool}. Do not repeat it; ask what they want instead.`,
    ),
  headless(tool: string, { reason }: Evaluation): ToolOutcome {
    const unclear = reason === 'unevaluable-path' ? ` ${plainPath}` : ''
    return failed(
      `Permission required: ${tool} needs approval, but nobody is there to give it.${unclear} ${doWithout}`,
    )
  },
  unusable: (tool: string, why: string): ToolOutcome =>
    failed(`Permission required: the question about ${tool} got no usable answer (${why}). ${doWithout}`),
  timedOut: (tool: string, askTimeoutMs: number | undefined): ToolOutcome =>
    failed(
      `Permission required: nobody answered the question about ${tool} within ${askTimeoutMs} ms. ${doWithout}`,
    ),
  withdrawn: (tool: string): ToolOutcome =>
    failed(
      `The call of ${tool} was not made: its server went down while the user was being asked, or was replaced. Nothing was done. It may come back: try again later.`,
    ),
  cancelled: (tool: string): ToolOutcome =>
    failed(`The call of ${tool} was not made: it was cancelled before it was allowed to begin.`),
  pattern: (tool: string): ToolOutcome =>
    failed(`The call of ${tool} was not made: no tool has a name with * in it. Name one of the tools.`),
  reentrant: (tool: string): ToolOutcome =>
    failed(
      `The call of ${tool} was not made: it was made through the policy whose onAsk is still being asked, which would wait for itself. Answer first, then call.`,
    ),
}

const doWithout = 'Do without it, or tell the user what you need.'
const plainPath = 'Where it leads cannot be judged: name plain paths, without .. and ~.'
