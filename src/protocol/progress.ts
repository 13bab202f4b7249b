import type { JsonObject } from './json-rpc.ts'

export type ProgressToken = string | number

/** `progress` grows with every report; `total` is absent when unknown. Source: basic/patterns/progress. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Reads `notifications/progress`; undefined when it is malformed. */
export function readProgress(params: JsonObject): { token: ProgressToken; report: Progress } | undefined {
  const { progressToken, progress, total, message } = params
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined
  if (typeof progress !== 'number') return undefined
  return {
    token: progressToken,
    report: {
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    },
  }
}
