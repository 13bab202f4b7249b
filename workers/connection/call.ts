import type { ToolCall } from '../../src/bridge/provider.ts'
import type { InputRequests } from '../../src/protocol/input-requests.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { ProgressToken } from '../../src/protocol/progress.ts'
import { joinMembers, ownMetaText } from '../../src/protocol/requests.ts'
import type { CallFrame } from '../frames.ts'
import type { Answer } from './correlator.ts'
import type { Deadline } from './deadline.ts'
import type { Peer } from './peer.ts'

/** One call of the host, from its frame to its answer. */
export interface Call {
  readonly frame: CallFrame
  readonly deadline: Deadline
  readonly token: ProgressToken | undefined
  /** The request on the wire right now. */
  requestId: number | undefined
  /** How often the server refused the version it was sent under. */
  refusals: number
  /** Present once the call was answered `input_required`. */
  roundTrip: CallRoundTrip | undefined
}

/** What the latest `input_required` asked, what was collected for it, and the answer once there is one. */
export interface CallRoundTrip {
  inputRequests: InputRequests
  requestState: string | undefined
  /** Members of the next retry's params, as JSON text. */
  inputs: string
  answer: Answer | undefined
  /** The task the server made of the call. */
  readonly task: CallTask | undefined
}

export interface CallTask {
  readonly taskId: string
  /** What it asked and was answered: a server may show a question again before it has seen the answer. */
  readonly answered: Set<string>
}

export function metaOf(call: Call, peer: Peer): string {
  const { frame, token } = call
  if (frame.meta === '' && token === undefined) return peer.stamp
  return joinMembers(joinMembers(peer.stamp, frame.meta), ownMetaText(undefined, token))
}

/** The call as a model made it; undefined when it was no model's. */
export function toolCallOf({ frame }: Call): ToolCall | undefined {
  const { toolCallId, subject, params } = frame
  if (toolCallId === undefined || subject === undefined) return undefined
  const { arguments: args } = JSON.parse(params) as { readonly arguments: JsonObject }
  return { id: toolCallId, function: { name: subject, arguments: args } }
}

/** The call's params, with what was collected for a retry. The latest `requestState` goes back byte for byte. */
export function paramsOf({ frame, roundTrip }: Call): string {
  if (!roundTrip?.inputs) return frame.params
  const own = frame.params.slice(1, -1)
  return `{${joinMembers(own, roundTrip.inputs)}}`
}
