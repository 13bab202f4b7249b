import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs'
import { type CommandQuestion, candidates, notFound } from './resolve-command.ts'

/** Turns what the system says, often one code for four different causes, into what to change. */
export function explainSpawnFailure(
  failure: { readonly code?: unknown; readonly message: string },
  question: CommandQuestion,
): string {
  const found = candidates(question).find((file) => stat(file))
  return folderProblem(question.cwd) ?? commandProblem(failure.code, found, question) ?? failure.message
}

function folderProblem(cwd: string): string | undefined {
  const folder = stat(cwd)
  if (!folder) return `the working directory ${cwd} does not exist, or is out of reach (cwd)`
  if (!folder.isDirectory()) return `${cwd} is not a directory (cwd)`
  return mayExecute(cwd) ? undefined : `the working directory ${cwd} may not be entered (cwd)`
}

function commandProblem(
  code: unknown,
  file: string | undefined,
  question: CommandQuestion,
): string | undefined {
  if (file === undefined) return code === 'ENOENT' || code === 'ENOTDIR' ? notFound(question) : undefined
  if (code === 'ENOENT') return missingInterpreter(file)
  if (code !== 'EACCES') return undefined
  if (stat(file)?.isDirectory()) return `${file} is a directory (EACCES)`
  return `${file} may not be executed (EACCES); make it executable with chmod +x`
}

function missingInterpreter(file: string): string {
  const [firstLine = ''] = readFileSync(file, 'latin1').slice(0, 200).split('\n')
  return firstLine.startsWith('#!')
    ? `${file} exists, but the interpreter in its first line does not: ${firstLine}`
    : `${file} exists, but the loader or a library it needs does not`
}

function mayExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Undefined for whatever cannot be looked at, also below a file or an unreadable folder. */
function stat(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
