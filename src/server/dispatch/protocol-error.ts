import { ProtocolError } from '../../errors.ts'

/** Also one of another copy of this package: toolkits that are loaded by name may bring theirs. */
export function isProtocolError(thrown: unknown): thrown is ProtocolError {
  if (thrown instanceof ProtocolError) return true
  return (
    thrown instanceof Error &&
    thrown.name === 'ProtocolError' &&
    Number.isSafeInteger(Reflect.get(thrown, 'code'))
  )
}
