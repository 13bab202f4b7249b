import { ErrorCode } from '../../protocol/error-codes.ts'
import type { Reply } from '../dispatch/reply.ts'

/** The status that goes with an answer; most errors are the payload's business, not the transport's. */
export function statusOf(reply: Reply): number {
  if (reply.kind === 'result') return 200
  switch (reply.code) {
    case ErrorCode.MethodNotFound:
      return 404
    case ErrorCode.ParseError:
    case ErrorCode.InvalidRequest:
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingRequiredClientCapability:
    case ErrorCode.UnsupportedProtocolVersion:
      return 400
    default:
      return 200
  }
}
