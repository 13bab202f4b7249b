import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { refereeFolder } from './referee.ts'

const lockFile = join(refereeFolder, 'package-lock.json')
// Written last, so an installation that was broken off is made again.
const installedLockFile = join(refereeFolder, 'node_modules/.installed-lock.json')

/** Installs the referee and its Node from their own lockfile, unless that is what is installed already. */
export async function installReferee(): Promise<void> {
  const lock = await readFile(lockFile, 'utf8')
  const installed = await readFile(installedLockFile, 'utf8').catch(() => undefined)
  if (installed === lock) return
  process.stderr.write('installing the conformance suite and its Node (once) …\n')
  await execa('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: refereeFolder,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  await writeFile(installedLockFile, lock)
}
