import type { Clock } from '../../clock.ts'
import type { Endpoint } from './endpoint.ts'
import type { Lanes } from './lanes.ts'
import type { RequestHeaders } from './request-headers.ts'

/** What every exchange of one transport shares. */
export interface Wire {
  readonly endpoint: Endpoint
  readonly lanes: Lanes
  readonly headers: RequestHeaders
  readonly clock: Clock
  readonly connectTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly maxMessageBytes: number
}
