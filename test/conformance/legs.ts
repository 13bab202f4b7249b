import { clientLeg } from './client-leg.ts'
import type { RefereeRun } from './referee.ts'
import type { Revision } from './requirements.ts'
import { serverLeg } from './server-leg.ts'

/** One side of the protocol under the referee. */
export interface Leg {
  readonly name: 'client' | 'server'
  /** Whether what the suite only reports, the extensions say, has to pass as well. */
  mindsUnscored(scenario: string): boolean
  /** Whether everything runs at once, which starves the single scenario on a busy machine: who failed then is judged by itself. */
  readonly isCrowded: boolean
  /** All that a revision requires, as the suite runs it: what it makes of exit codes and timeouts is nothing. */
  together(revision: Revision): Promise<RefereeRun>
  /** One scenario: exit codes and timeouts count. */
  alone(scenario: string, revision: Revision): Promise<RefereeRun>
}

export const legs = { client: clientLeg, server: serverLeg } as const satisfies {
  readonly [name: string]: Leg
}

export type LegName = keyof typeof legs
