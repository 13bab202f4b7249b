import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { Refusal } from '../root/refusal.ts'
import type { FilePlace } from './file-at.ts'

/**
 * Replaces a file, or makes one: whoever reads it meanwhile has the old content or the new, also after a crash. Mode and owner stay.
 * A crash may leave a file `.….tmp` beside it.
 */
export async function writeAtomically(
  { directory, name, stats }: FilePlace,
  content: Uint8Array,
): Promise<void> {
  // Replacing a file takes no permission to write it, so that is looked at here.
  if (stats && (stats.mode & 0o222) === 0)
    throw new Refusal('it is write-protected; whoever protected it must lift that')
  const temporary = directory.entry(`.${randomBytes(8).toString('hex')}.tmp`)
  directory.confirm()
  // What replaces a file is nobody else's to read before it has its mode.
  const handle = await open(temporary, toCreate, stats ? 0o600 : 0o666)
  try {
    try {
      await handle.writeFile(content)
      if (stats) await keep(handle, stats)
      await handle.sync()
    } finally {
      await handle.close()
    }
    directory.confirm()
    await rename(temporary, directory.entry(name))
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  directory.confirm()
}

async function keep(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await handle.stat()
  // Only the superuser may give files away; everybody else makes it their own.
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => {})
  await handle.chmod(mode & 0o777)
}

const toCreate = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
