import { listSignIns } from '../../auth/sign-ins.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import { writeJson } from '../text/json.ts'
import { styleFor } from '../text/style.ts'
import { UsageError } from '../usage-error.ts'
import { signInDocument, signInText } from './sign-in-text.ts'
import { signInsOf } from './sign-ins-of.ts'

/** Shows every sign-in there is. */
export async function list({ io, operands, options }: Invocation): Promise<number> {
  if (operands.length > 0 || options.url !== undefined)
    throw new UsageError('troupe auth --list lists all there are; it takes no server')
  const found = await listSignIns(signInsOf(io))
  const style = styleFor(io.out, io.env)
  if (options.json) writeJson(io.out, { signIns: found.map(signInDocument) })
  else if (found.length > 0) io.out.write(`${found.map((one) => signInText(one, style)).join('\n')}\n`)
  else if (io.err.isTerminal) io.err.write('There are no sign-ins.\n')
  return ExitCode.ok
}
