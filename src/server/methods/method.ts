import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { CacheHint } from '../../protocol/results.ts'
import type { Served } from '../dispatch/served.ts'
import type { ServedRequest } from '../request/served-request.ts'

/** What a method answers with, without the envelope of an era. */
export interface MethodResult {
  readonly result: JsonObject
  /** Present on what modern callers may keep. */
  readonly cache?: CacheHint
  /** Default `complete`. */
  readonly resultType?: 'task'
}

/** One method of the protocol, for both eras. @throws ProtocolError */
export type Method = (
  server: Served,
  params: JsonObject,
  context: ServedRequest,
) => MethodResult | Promise<MethodResult>
