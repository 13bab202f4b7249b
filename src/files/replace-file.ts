import { randomUUID } from 'node:crypto'
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Puts a text in a file's place, whole or not at all, for its owner's eyes only: 0600, in a folder that is made with 0700. A link is followed, not replaced. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const target = await realpath(path).catch(() => path)
  const draft = `${target}.${randomUUID()}.tmp`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (failure) {
    await rm(draft, { force: true })
    throw failure
  }
}
