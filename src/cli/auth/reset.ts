import { removeAllSignIns, removeSignIn } from '../../auth/sign-ins.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { writeJson } from '../text/json.ts'
import { oneLine } from '../text/printable.ts'
import { authServer } from './auth-server.ts'
import { signInDocument } from './sign-in-text.ts'
import { signInsOf } from './sign-ins-of.ts'

/** Forgets the sign-in of a server, or all of them. */
export async function reset(invocation: Invocation): Promise<number> {
  const { io, options } = invocation
  const server = await authServer(invocation)
  const store = signInsOf(io)
  const found = server ? [await removeSignIn(store, server.url, server.auth)] : await removeAllSignIns(store)
  const forgotten = found.filter((one) => one !== undefined)
  if (options.json) writeJson(io.out, { forgotten: forgotten.map(signInDocument) })
  else if (forgotten.length === 0)
    io.err.write(`There was no sign-in${server ? ` for ${server.shown}` : ''}.\n`)
  else
    for (const { resource, issuer } of forgotten)
      io.out.write(`Forgot the sign-in for ${oneLine(resource)} at ${oneLine(issuer)}\n`)
  return ExitCode.ok
}
