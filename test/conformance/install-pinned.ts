import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** Installs what a folder's own lockfile pins, unless that is what is installed already. `what` is for whoever waits. */
export async function installPinned(folder: string, what: string): Promise<void> {
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8')
  // Written last, so an installation that was broken off is made again.
  const installedLockFile = join(folder, 'node_modules/.installed-lock.json')
  const installed = await readFile(installedLockFile, 'utf8').catch(() => undefined)
  if (installed === lock) return
  process.stderr.write(`installing ${what} (once) …\n`)
  await execa('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  await writeFile(installedLockFile, lock)
}
