import { posix, win32 } from 'node:path'
import { searchPath } from './child-env.ts'

export interface CommandQuestion {
  readonly command: string
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly platform: NodeJS.Platform
}

/**
 * What to start. POSIX searches PATH itself, so there it is the command as given. On Windows a shell would quietly be
 * put around anything but a program, and no argument survives its quoting: only a program is started, anything else is
 * refused with what to write instead.
 */
export function resolveCommand(
  question: CommandQuestion,
  isFile: (path: string) => boolean,
): { readonly file: string } | { readonly refused: string } {
  const { command, platform } = question
  if (command === '') return { refused: 'command is empty' }
  if (platform !== 'win32') return { file: command }
  const files = candidates(question)
  const program = withExtension(files, ['.com', '.exe']).find(isFile)
  if (program !== undefined) return { file: program }
  const batch = withExtension(files, ['.bat', '.cmd']).find(isFile)
  if (batch !== undefined)
    return { refused: `${batch} is a batch file, which needs a shell; ${insteadOf(command)}` }
  const other = files.find(isFile)
  if (other !== undefined)
    return {
      refused: `${other} is no program (.exe or .com); write the program that runs it as command, and this file first in args`,
    }
  return { refused: notFound(question) }
}

/** The files a command may mean, in the order in which they are tried. */
export function candidates(question: CommandQuestion): string[] {
  const { command, cwd, env, platform } = question
  const path = platform === 'win32' ? win32 : posix
  if (hasFolder(question)) return [path.resolve(cwd, command)]
  const folders = searchPath(env, platform)?.split(path.delimiter) ?? []
  if (platform !== 'win32') return folders.map((folder) => path.resolve(cwd, folder, command))
  // Windows would try the working directory first: a `node.exe` that lies in a project must not be started by its name.
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => path.resolve(cwd, folder.replaceAll('"', ''), command))
}

/** Says where a command was looked for. */
export function notFound(question: CommandQuestion): string {
  if (hasFolder(question)) return `there is no file ${candidates(question)[0]}`
  const path = searchPath(question.env, question.platform)
  if (path === undefined)
    return 'not found: its environment has no PATH; set env.PATH or write an absolute command'
  return `not found in PATH, which is ${path}`
}

function hasFolder({ command, platform }: CommandQuestion): boolean {
  return platform === 'win32' ? /[\\/:]/.test(command) : command.includes('/')
}

function withExtension(files: readonly string[], extensions: readonly string[]): string[] {
  return files.flatMap((file) => {
    const hasOwn = extensions.includes(win32.extname(file).toLowerCase())
    return hasOwn ? [file] : extensions.map((extension) => file + extension)
  })
}

function insteadOf(command: string): string {
  return `write command "cmd.exe" and args ["/c", ${JSON.stringify(command)}, …]`
}
