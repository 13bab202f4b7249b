import type { Conflict } from '../../../machines/index.ts'
import type { ErrorData } from '../../error-data.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type {
  AcquireOutcome,
  AcquireRequest,
  LeaseStatus,
  PinOutcome,
  PinRequest,
  ReleaseOutcome,
  ReleaseRequest,
} from './leasing.ts'

/** What each question takes and is answered with. */
export interface TableQuestions {
  readonly acquire: { readonly takes: AcquireRequest; readonly answer: AcquireOutcome }
  readonly release: { readonly takes: ReleaseRequest; readonly answer: ReleaseOutcome }
  readonly releaseHolder: { readonly takes: string; readonly answer: readonly string[] }
  readonly releaseAll: { readonly takes: undefined; readonly answer: readonly string[] }
  readonly pin: { readonly takes: PinRequest; readonly answer: PinOutcome }
  readonly unpin: { readonly takes: readonly number[]; readonly answer: undefined }
  readonly status: { readonly takes: undefined; readonly answer: LeaseStatus }
}

export type TableQuestion = keyof TableQuestions

/** To the table. */
export type TableRequest =
  | {
      readonly [Question in TableQuestion]: {
        readonly kind: Question
        readonly id: number
        readonly takes: TableQuestions[Question]['takes']
      }
    }[TableQuestion]
  /** Ends the wait of an `acquire`. */
  | { readonly kind: 'cancel'; readonly id: number }

/** From the table. */
export type TableReply =
  /** The first of all. */
  | { readonly kind: 'here'; readonly defaultTtlMs: number }
  | { readonly kind: 'waiting'; readonly id: number; readonly conflict: Conflict }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: ErrorData }

const questions: { readonly [Kind in TableRequest['kind']]: true } = {
  acquire: true,
  release: true,
  releaseHolder: true,
  releaseAll: true,
  pin: true,
  unpin: true,
  status: true,
  cancel: true,
}

/** Whoever has a port may send anything: what is no question is none. What it takes is checked by the table. */
export function isRequest(frame: unknown): frame is TableRequest {
  return (
    isObject(frame) &&
    Number.isSafeInteger(frame.id) &&
    typeof frame.kind === 'string' &&
    Object.hasOwn(questions, frame.kind)
  )
}

/** Whether it is an answer at all. Whoever gave out the port is of this build: its answers fit the questions. */
export function isReply(frame: unknown): frame is TableReply {
  return isObject(frame) && typeof frame.kind === 'string' && (frame.kind === 'here' || 'id' in frame)
}
