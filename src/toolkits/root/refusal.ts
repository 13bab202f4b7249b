import { sentence } from '../../bridge/sentence.ts'
import { thrownMessage } from '../../thrown-message.ts'

/** Why something is not done, in words that a model can act on. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Runs what may be refused, by us or by the system, and says of a failure what was to be done. */
export async function doing<Value>(what: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run()
  } catch (cause) {
    throw new Error(`Cannot ${what}: ${sentence(reasonOf(cause))}`, { cause })
  }
}

/** As it is shown: whatever it holds, on one line and not endless. */
export function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code)
}

function reasonOf(failure: unknown): string {
  if (failure instanceof Refusal) return failure.message
  const known = Object.entries(reasons).find(([code]) => hasCode(failure, code))
  if (known) return known[1]
  const said = thrownMessage(failure)
  // A path of ours means nothing to anybody: the system's messages end in it, others have it somewhere.
  const isOfSystem = failure instanceof Error && 'syscall' in failure
  return isOfSystem ? said.replace(/, .*/s, '') : said.replaceAll(/\/proc\/self\/fd\/\d+/g, 'of this call')
}

const reasons: { readonly [code: string]: string } = {
  ENOENT: 'there is nothing of that name; list its directory to see what there is',
  ENOTDIR: 'something on the way to it is not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'the system does not permit that to this server',
  EPERM: 'the system does not permit that to this server',
  EROFS: 'it is on a file system that can only be read',
  ENAMETOOLONG: 'a name in it is longer than the file system takes; choose a shorter one',
  ENOTEMPTY: 'the directory is not empty',
  EXDEV: 'it would go to another file system; write it there, then delete it here',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EAGAIN: 'another program holds it; try again later',
  EMFILE: 'too many files are open; try again later',
  ENFILE: 'too many files are open; try again later',
}
