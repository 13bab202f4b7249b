import { ProtocolError } from '../../errors.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import { errorReply } from '../dispatch/reply.ts'
import { json } from './answer-stream.ts'
import type { HttpHeaders, HttpResponse } from './wire.ts'

/** Answers by status, and in JSON all the same: clients of this protocol are owed nothing else. */
export function refuse(
  response: HttpResponse,
  status: number,
  code: number,
  message: string,
  id?: RequestId | null,
  headers: HttpHeaders = {},
): undefined {
  const { text } = errorReply(id ?? undefined, new ProtocolError({ code, message }))
  response.answer(status, { ...json, ...headers }, text)
}
