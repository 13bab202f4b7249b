import { ProtocolError } from '../errors.ts'
import { ErrorCode } from '../protocol/error-codes.ts'

/** A whole list; empty when the server has no such feature at all, which to a person is the same. */
export async function orNone<Item>(listing: Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await listing
  } catch (error) {
    if (error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound) return []
    throw error
  }
}
