import type { ConnectionContext, ProbeEvidence } from '../../machines/index.ts'
import { fromErrorData } from '../error-data.ts'
import type { McpError } from '../errors.ts'
import type { Implementation } from '../protocol/implementation.ts'
import type { Era } from '../protocol/versions.ts'

/** How the era was found out. */
export interface ProbeReport {
  /** `undecided` when the connection failed before it was known; `failure` says why. */
  readonly verdict: Era | 'undecided'
  readonly protocolVersion: string | undefined
  /** Every version a modern server named. */
  readonly supportedVersions: readonly string[]
  readonly serverInfo: Implementation | undefined
  /** What was asked, what came back, after how many ms, what was concluded; in order. */
  readonly evidence: readonly ProbeEvidence[]
  readonly failure: McpError | undefined
}

export function probeReport(context: ConnectionContext): ProbeReport {
  const { era, version, supportedVersions, serverInfo, evidence, failure } = context
  return {
    verdict: era ?? 'undecided',
    protocolVersion: version,
    supportedVersions,
    serverInfo,
    evidence,
    failure: failure && fromErrorData(failure),
  }
}
