import type { ToolCall, ToolResult } from '../../src/index.ts'
import type { Cast } from './cast.ts'
import type { Chance } from './chance.ts'

/** A call, and what an honest answer to it says. */
export interface Line {
  readonly call: ToolCall
  /** Undefined when it cannot be well answered. */
  readonly answer: RegExp | undefined
}

let lines = 0

/** One of the many things a model may ask for. */
export function anyLine(cast: Cast, chance: Chance): Line {
  const { roles, file } = cast
  const id = `call-${++lines}`
  const on = (prefixes: readonly string[], tool: string, args: object, answer: RegExp | undefined): Line => {
    const name = `${chance.oneOf(prefixes)}_${tool}`
    return { call: { id, function: { name, arguments: JSON.stringify(args) } }, answer }
  }
  const exactly = (text: string) => new RegExp(`^${text}$`)
  const kinds = [
    () => on([...roles.echo, ...roles.modern, ...roles.mortal], 'echo', { text: id }, exactly(id)),
    () => on(roles.everything, 'echo', { message: id }, exactly(`Echo: ${id}`)),
    () => on(roles.mortal, 'note', { text: id }, /^noted$/),
    () => on(roles.modern, 'count', { to: 5 }, /5/),
    () => on(roles.modern, 'ask_name', {}, /Hello.*Soak/),
    () => on(roles.modern, 'big', { bytes: 200_000 }, /^.{200000}$/s),
    () => on(roles.modern, 'fail', {}, undefined),
    () => on(roles.filesystem, 'read_text_file', { path: file }, /^Read me/),
    () => on(roles.filesystem, 'read_text_file', { path: '/etc/shadow' }, undefined),
    () => on(roles.echo, 'no_such_tool', {}, undefined),
  ]
  // Death is rarer than life.
  const deadly = [
    () => on(roles.mortal, 'die', {}, undefined),
    () => on(roles.modern, 'crash', {}, undefined),
  ]
  return chance.oneOf(chance.next() < 0.003 ? deadly : kinds)()
}

/** How an error says what kind it is; anything else is a fault. */
const kindsOfError: { readonly [kind: string]: RegExp } = {
  'server gone': /(exited with code|was killed by)/,
  'server down': /is down:/,
  'connection closed': /(connection is closed|worker thread of this connection died|was abandoned)/,
  'stopped in its tracks': /closed its stdout/,
  cancelled: /(was cancelled|cancelled before its turn)/,
  'unknown tool': /There is no tool/,
  'of the tool': /(it did not work|Access denied)/,
}

/** The kind of a result: `well`, a kind of error, or what is wrong with it. */
export function judge({ call, answer }: Line, result: ToolResult | undefined): string {
  if (!result) return `wrong: no result for ${call.function.name}`
  if (result.tool_call_id !== call.id) return `wrong: ${result.tool_call_id} answers ${call.id}`
  const { content, is_error: isError } = result
  const said = content.slice(0, 300)
  if (!isError) return answer?.test(content) ? 'well' : `wrong: ${call.function.name} says ${said}`
  const kind = Object.keys(kindsOfError).find((name) => kindsOfError[name]?.test(content))
  return kind ?? `wrong: an unexplained error of ${call.function.name}: ${said}`
}
