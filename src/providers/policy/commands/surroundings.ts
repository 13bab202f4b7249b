import { isObject, type JsonObject } from '../../../protocol/json-rpc.ts'
import { isHazardousName } from './hazardous-names.ts'
import { foldedName } from './program.ts'
import { isShell } from './shell-invocation.ts'

/** Whether arguments beside the command may change what it runs: variables that reroute it, or a shell that reads its words. */
export function mayChangeCommand(args: JsonObject, words: unknown): boolean {
  return Object.entries(args).some(([name, value]) => {
    if (value === undefined || value === null || value === false) return false
    if (/^(?:env|environ|environment|(?:extra)?env_?(?:vars?|variables)?)$/i.test(name))
      return reroutes(value)
    return /^(?:use_?|run_?in_?)?shell$/i.test(name) && !(words === undefined && isPosixShell(value))
  })
}

/** A line is read as these shells read it. */
function isPosixShell(value: unknown): boolean {
  return value === true || (typeof value === 'string' && isShell(foldedName(value)))
}

/** `{ NAME: value }` or `NAME=value`, and nothing else for certain. */
function reroutes(variables: unknown): boolean {
  if (isObject(variables)) return Object.keys(variables).some(isHazardousName)
  if (!Array.isArray(variables)) return true
  return variables.some((one) => typeof one !== 'string' || isHazardousName(one.replace(/=.*$/s, '')))
}
