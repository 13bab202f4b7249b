import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Installed {
  /** The project it was installed in. */
  readonly folder: string
  /** What the tarball holds. */
  readonly files: readonly string[]
  /** Runs a program in that project; its stdout. @throws when it exits with another code than 0. */
  run(command: string, ...args: readonly string[]): Promise<string>
  remove(): void
}

/**
 * Packs a copy of this package, so that nobody's `dist` changes under other tests, and installs the tarball in an empty project.
 */
export async function install(): Promise<Installed> {
  const scratch = mkdtempSync(join(tmpdir(), 'troupe-package-'))
  const [copy, folder] = [join(scratch, 'copy'), join(scratch, 'project')]
  const isCopied = (path: string) => !notCopied.has(basename(path))
  cpSync(root, copy, { recursive: true, filter: isCopied })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const packed = await run('npm', ['pack', '--json', '--pack-destination', scratch], inFolder(copy))
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')))
  cpSync(join(root, 'test/package/project'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const offlineIfPossible = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', join(scratch, filename), ...offlineIfPossible], inFolder(folder))
  return {
    folder,
    files: files.map(({ path }: { path: string }) => path),
    run: async (command, ...args) => (await run(command, args, inFolder(folder))).stdout,
    remove: () => rmSync(scratch, { recursive: true }),
  }
}

const notCopied = new Set(['node_modules', 'dist', '.git', 'coverage'])

/** What the npm that runs the tests set for itself means nothing to these. */
function inFolder(cwd: string) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  return { cwd, env, maxBuffer: 2 ** 26 }
}
