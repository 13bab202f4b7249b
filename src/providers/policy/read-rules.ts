import { ConfigError } from '../../errors.ts'
import { isEvaluable } from '../../paths/location.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { readHostPattern } from './hosts.ts'
import type { Rule } from './rule.ts'

/** What is wrong with a member, or undefined. */
type Check = (value: unknown) => string | undefined

const members: { readonly [member in keyof Required<Rule>]: Check } = {
  tool: (value) =>
    typeof value === 'string' && /^(?:[A-Za-z0-9_.-]+\*?|\*)$/.test(value)
      ? undefined
      : "must be a tool's name, a prefix with a trailing *, or * alone; names are made of letters, digits, _, - and .",
  decision: (value) =>
    value === 'allow' || value === 'ask' || value === 'deny' ? undefined : 'must be allow, ask or deny',
  under: (value) =>
    isEvaluable(value)
      ? undefined
      : 'must be a directory without .., ~, backslash and NUL: nothing could be compared with it',
  command,
  args: tokens,
  argsAny: tokens,
  check: (value) =>
    typeof value === 'string' && value !== '' ? undefined : 'must be the name of a check of the policy',
  host: (value) =>
    readHostPattern(value) !== undefined
      ? undefined
      : 'must be a host, or *. and a domain; without scheme, port and path',
  note: (value) => (typeof value === 'string' ? undefined : 'must be text'),
  severity: (value) => (value === 'danger' ? undefined : "must be 'danger' or left out"),
}

interface ReadOptions {
  /** Where it stands, for the message. */
  readonly path?: readonly string[]
  /** The names of the predicates there are; default none. */
  readonly checks?: readonly string[] | 'any'
}

/**
 * Takes rules in: copies of what is valid. A rule that says nothing clear, or could never match, is refused.
 * @throws ConfigError which names the member and the rule
 */
export function readRules(
  value: unknown,
  { path = ['rules'], checks = [] }: ReadOptions = {},
): readonly Rule[] {
  if (!Array.isArray(value)) throw new ConfigError({ path, reason: 'must be an array of rules' })
  return value.map((rule, index) => readRule(rule, { path: [...path, String(index)], checks }))
}

/** One rule, likewise. @throws ConfigError */
export function readRule(value: unknown, { path = ['rule'], checks = [] }: ReadOptions = {}): Rule {
  if (!isObject(value)) throw new ConfigError({ path, reason: 'must be an object' })
  const refuse = (member: string, reason: string) =>
    new ConfigError({ path: [...path, member], reason: `${reason}; the rule is ${shown(value)}` })
  const rule: { [member: string]: unknown } = {}
  for (const [given, content] of Object.entries(value)) {
    if (content === undefined) continue
    const member = given === 'args-any' ? 'argsAny' : given
    const check = Object.hasOwn(members, member) ? members[member as keyof Rule] : undefined
    if (!check) throw refuse(given, `is no member of a rule; known are ${Object.keys(members).join(', ')}`)
    if (Object.hasOwn(rule, member)) throw refuse(given, 'is there twice, in both spellings')
    const complaint = check(content)
    if (complaint) throw refuse(given, complaint)
    rule[member] = Array.isArray(content) ? [...content] : content
  }
  for (const member of ['tool', 'decision']) {
    if (!Object.hasOwn(rule, member)) throw refuse(member, 'is missing')
  }
  for (const member of ['args', 'argsAny']) {
    if (Object.hasOwn(rule, member) && !Object.hasOwn(rule, 'command'))
      throw refuse(member, 'needs a command beside it')
  }
  if (typeof rule.check === 'string' && checks !== 'any' && !checks.includes(rule.check)) {
    const known = checks.length ? `known are ${checks.join(', ')}` : 'it has none'
    throw refuse('check', `names no check of this policy (${known})`)
  }
  return rule as unknown as Rule
}

function command(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^(?:[^*\s]+\*?|\*)$/.test(value))
    return "must be a program's name, a prefix with a trailing *, or * alone"
  if (/[/\\\0]/.test(value)) return 'must be a bare name: programs are compared without their folder'
  if (/\.(?:exe|com|bat|cmd)$/i.test(value)) return 'must be without the extension: programs are compared so'
  return undefined
}

function tokens(value: unknown): string | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((token) => typeof token === 'string')
    ? undefined
    : 'must be a non-empty array of strings'
}

const longestShown = 300

function shown(value: unknown): string {
  try {
    return JSON.stringify(value).slice(0, longestShown)
  } catch {
    return 'not JSON'
  }
}
