import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { prefixOf } from '../../config/config.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import {
  type ImportedRules,
  type ImportNote,
  importRules,
} from '../../providers/policy/import/import-rules.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import type { Io } from '../io.ts'
import { openConfig } from '../named-server.ts'
import { writeJson } from '../text/json.ts'
import { escapeControls } from '../text/json-text.ts'
import { layoutJson } from '../text/layout-json.ts'
import { oneLine } from '../text/printable.ts'
import { ruleText } from '../text/rule-text.ts'
import { styleFor } from '../text/style.ts'
import { UsageError } from '../usage-error.ts'

/** Translates permissions of Claude Code: rules to stdout, ready for a configuration, and what could not be taken over to stderr. */
export async function policyImport({ io, operands, options }: Invocation): Promise<number> {
  const [, ...sources] = operands
  if (sources.length === 0)
    throw new UsageError("Write: troupe policy import settings.json, or: troupe policy import 'Bash(git *)'")
  const decision = decisionOf(options.decision)
  const config = await openConfig(options.config, io)
  const settings = {
    home: homedir(),
    ...(config && {
      servers: Object.fromEntries([...config.servers.values()].map((it) => [it.name, prefixOf(it)])),
    }),
  }
  const imported: ImportedRules[] = []
  for (const source of sources) {
    const isFile = source === '-' || /\.json$/i.test(source)
    const permissions = isFile ? await readPermissions(source, io) : { [decision]: [source] }
    imported.push(importRules(permissions, settings))
  }
  const rules = imported.flatMap((one) => one.rules)
  const notes = imported.flatMap((one) => one.notes)
  if (options.json) writeJson(io.out, { rules, notes })
  else {
    const { err, env } = io
    for (const note of notes) err.write(`${styleFor(err, env).yellow(note.outcome)} ${noteText(note)}\n`)
    io.out.write(`${escapeControls(layoutJson({ rules }, io.out.columns))}\n`)
  }
  return rules.length > 0 ? ExitCode.ok : ExitCode.usage
}

function decisionOf(given = 'allow'): 'allow' | 'ask' | 'deny' {
  if (given === 'allow' || given === 'ask' || given === 'deny') return given
  throw new UsageError(`--decision takes allow, ask or deny, not ${JSON.stringify(given)}`)
}

/** The `permissions` of a settings file, or a file that holds nothing else. */
async function readPermissions(path: string, io: Io): Promise<unknown> {
  try {
    const text = path === '-' ? await io.readStdin() : await readFile(resolve(io.cwd, path), 'utf8')
    const content: unknown = JSON.parse(text)
    return isObject(content) && Object.hasOwn(content, 'permissions') ? content.permissions : content
  } catch (cause) {
    const from = path === '-' ? 'stdin' : path
    throw new UsageError(`Cannot read permissions from ${from}: ${thrownMessage(cause)}`, { cause })
  }
}

function noteText({ given, decision, problem, outcome, closest = [] }: ImportNote): string {
  const nearest = closest.map((rule) => `${ruleText(rule)}, which is wider`)
  const what = outcome === 'dropped' ? 'is not taken over' : 'means more than it did'
  const instead = nearest.length > 0 ? `; closest: ${nearest.join('; ')}` : ''
  return oneLine(`${decision} ${given} ${what}: it ${problem}${instead}`)
}
