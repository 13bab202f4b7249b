import { readRevision } from '../../protocol/revision.ts'
import type { RequestContext } from '../../server/request/request-context.ts'
import { Refusal } from '../root/refusal.ts'
import { readBytes, revisionOf } from './file-bytes.ts'
import type { Files } from './files.ts'

/** Refuses a change where its caller knows something else than what is there. @throws Refusal */
export async function checkFence(files: Files, path: string, { meta }: RequestContext): Promise<void> {
  const expected = readRevision(meta)
  if (expected === undefined) return
  await files.root.at(path, { follows: true, missing: 'accept' }, async ({ directory, name, stats }) => {
    // A directory has no content to be overtaken; what it refuses, the change itself says.
    if (name === undefined || (expected === null && !stats?.isFile())) return
    if (expected === null) throw new Refusal('it is there already, and you have not read it: read it first')
    const current = stats?.isFile()
      ? revisionOf(await readBytes({ directory, name }, files.maxFileBytes))
      : undefined
    if (current !== expected) throw new Refusal('it has changed since you read it: read it again')
  })
}
