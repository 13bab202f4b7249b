import type { Answer } from '../../answer.ts'
import { ConfigError } from '../../errors.ts'
import { isEvaluable } from '../../paths/location.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { EffectiveCommand } from './commands/effective-command.ts'
import type { Declared } from './read-argument.ts'

/** Judges one command that a call runs. One that throws is unsure. */
export type Check = (command: EffectiveCommand) => Answer

export interface EvaluationOptions {
  /** Directories by prefix of tool names, the longest wins: what relative locations are relative to. `''` is every tool's. */
  readonly roots?: { readonly [toolPrefix: string]: string }
  /** Which arguments are locations, by tool pattern; default `path`, `from` and `to`. `[]`: it takes none. */
  readonly pathParams?: { readonly [tool: string]: readonly string[] }
  /** Which arguments are the program and its arguments, by tool pattern; default `command` and `args`. `[]`: it runs nothing. */
  readonly commandParams?: { readonly [tool: string]: readonly string[] }
  /** The predicates that rules may name. */
  readonly checks?: { readonly [name: string]: Check }
}

/** The same, and what is known of the tools themselves. */
export interface Evaluating extends EvaluationOptions {
  /** One that is not declared is a place, a command or a URL that nobody can judge. */
  readonly declared?: (tool: string) => Declared
}

/** Refuses what would silently match nothing. @throws ConfigError */
export function checkEvaluationOptions(options: EvaluationOptions): void {
  checkEach(options, 'roots', (root) =>
    isEvaluable(root) ? undefined : 'must be a directory without .., ~, backslash and NUL',
  )
  checkEach(options, 'pathParams', (params) =>
    isNames(params) ? undefined : 'must be an array of names of arguments',
  )
  checkEach(options, 'commandParams', (params) =>
    isNames(params) && params.length <= 2
      ? undefined
      : 'must be the names of two arguments, the program and its arguments; or []',
  )
  checkEach(options, 'checks', (check) => (typeof check === 'function' ? undefined : 'must be a function'))
}

function checkEach(
  options: EvaluationOptions,
  option: keyof EvaluationOptions,
  complain: (value: unknown) => string | undefined,
): void {
  const table: unknown = options[option]
  if (table === undefined) return
  if (!isObject(table)) throw new ConfigError({ path: [option], reason: 'must be an object' })
  for (const [name, value] of Object.entries(table)) {
    const complaint = complain(value)
    if (complaint) throw new ConfigError({ path: [option, name], reason: complaint })
  }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '')
}

/** Later changes of what was given change nothing. */
export function copyEvaluationOptions(options: EvaluationOptions): EvaluationOptions {
  const { roots, pathParams, commandParams, checks } = options
  checkEvaluationOptions(options)
  return {
    ...(roots && { roots: { ...roots } }),
    ...(pathParams && { pathParams: structuredClone(pathParams) }),
    ...(commandParams && { commandParams: structuredClone(commandParams) }),
    ...(checks && { checks: { ...checks } }),
  }
}
