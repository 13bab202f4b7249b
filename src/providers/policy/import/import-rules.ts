import { ConfigError } from '../../../errors.ts'
import { isObject } from '../../../protocol/json-rpc.ts'
import type { Decision, Rule } from '../rule.ts'
import { bashRules } from './bash-rules.ts'
import { mcpRules } from './mcp-rules.ts'
import { pathRules } from './path-rules.ts'
import type { Translation } from './translation.ts'
import { webRules } from './web-rules.ts'

export interface ImportOptions {
  /** The tools that run commands; default `sh_run`. */
  readonly shellTools?: readonly string[]
  /** The tools that read files; default those of the built-in pack. */
  readonly readTools?: readonly string[]
  /** The tools that change files; default those of the built-in pack. */
  readonly editTools?: readonly string[]
  /** The tools that fetch URLs; default `web_fetch`. */
  readonly webTools?: readonly string[]
  /**
   * The names of all servers there are, or their prefixes by name. Without them `mcp__server` may mean tools of another server, and is
   * not taken over.
   */
  readonly servers?: readonly string[] | { readonly [name: string]: string }
  /** Between a server's prefix and a tool's name; default `_`. */
  readonly separator?: string
  /** What paths of the project are relative to; without it they are relative to the tools' root. */
  readonly root?: string
  /** What `~` means; without it such paths are not taken over. */
  readonly home?: string
}

/** What was not taken over as it was meant. */
export interface ImportNote {
  /** As it was written. */
  readonly given: string
  readonly decision: Decision
  /** `dropped`: it is not in force. `wider`: a denial or a question that now means more. */
  readonly outcome: 'dropped' | 'wider'
  readonly problem: string
  /** The narrowest rules that would cover what was meant, and more; for a person to decide. */
  readonly closest?: readonly Rule[]
}

export interface ImportedRules {
  readonly rules: readonly Rule[]
  readonly notes: readonly ImportNote[]
}

const defaults = {
  shellTools: ['sh_run'],
  readTools: ['fs_read', 'fs_list', 'fs_glob', 'fs_stat', 'fs_grep', 'fs_map'],
  editTools: ['fs_write', 'fs_edit', 'fs_mkdir', 'fs_move', 'fs_delete'],
  webTools: ['web_fetch'],
  separator: '_',
} as const

/** The options with their defaults. */
export type ImportSettings = ImportOptions & Required<Pick<ImportOptions, keyof typeof defaults>>

/**
 * Translates permissions as Claude Code writes them, `{ allow, ask, deny }` with entries like `Bash(git *)`,
 * `mcp__server__tool`, `WebFetch(domain:x)` and `Read(path)`. Nothing becomes more than was meant: a permission that has no exact
 * counterpart is dropped, a denial is widened, and both are told.
 * @throws ConfigError when it is no such object
 */
export function importRules(permissions: unknown, options: ImportOptions = {}): ImportedRules {
  if (!isObject(permissions))
    throw new ConfigError({ path: ['permissions'], reason: 'must be an object with allow, ask and deny' })
  const settings = { ...defaults, ...definedOf(options) }
  const rules: Rule[] = []
  const notes: ImportNote[] = []
  for (const decision of ['allow', 'ask', 'deny'] as const) {
    for (const given of entries(permissions, decision)) {
      const { narrowers, isExact, problem } = translate(given, settings)
      const translated = narrowers.map((narrower): Rule => ({ ...narrower, decision }))
      if (isExact) rules.push(...translated)
      else {
        const isDropped = decision === 'allow' || translated.length === 0
        if (!isDropped) rules.push(...translated)
        notes.push({
          given,
          decision,
          outcome: isDropped ? 'dropped' : 'wider',
          problem,
          ...(isDropped && translated.length > 0 && { closest: translated }),
        })
      }
    }
  }
  return { rules, notes }
}

function translate(given: string, settings: ImportSettings): Translation {
  const [, tool = '', specifier] = /^([A-Za-z_][\w-]*(?:\*)?)(?:\((.*)\))?$/s.exec(given.trim()) ?? []
  if (tool.startsWith('mcp__')) return mcpRules(given.trim(), settings)
  switch (tool) {
    case 'Bash':
      return bashRules(specifier, settings.shellTools)
    case 'WebFetch':
      return webRules(specifier, settings.webTools)
    case 'Read':
    case 'Glob':
    case 'Grep':
    case 'LS':
      return pathRules(specifier, settings.readTools, settings)
    case 'Edit':
    case 'Write':
    case 'MultiEdit':
    case 'NotebookEdit':
      return pathRules(specifier, settings.editTools, settings)
    default:
      return { narrowers: [], isExact: false, problem: 'names no tool that is known here' }
  }
}

function entries(permissions: { readonly [name: string]: unknown }, decision: Decision): readonly string[] {
  const given = permissions[decision] ?? []
  if (Array.isArray(given) && given.every((entry) => typeof entry === 'string')) return given
  throw new ConfigError({ path: ['permissions', decision], reason: 'must be an array of strings' })
}

function definedOf(options: ImportOptions): ImportOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
