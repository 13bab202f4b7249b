import { readFile } from 'node:fs/promises'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'

/** Arguments as they were written, before any schema is known. */
export interface GivenArguments {
  /** From `key:=json`, JSON objects and files: typed already. */
  readonly values: ReadonlyMap<string, unknown>
  /** From `key=text`: every text a key was given. They win over `values`. */
  readonly texts: ReadonlyMap<string, readonly string[]>
}

/** How arguments are written, for `--help`; `value` says what becomes of one. */
export function argumentForms(value: string, asJson = 'any JSON value, whatever the schema says'): string {
  return `Arguments:
  key=value      ${value}
  key:=json      ${asJson}
  '{"key": 1}'   a JSON object with several of them
  @file.json     the same from a file; - for stdin`
}

/** Reads the words after a tool's or prompt's name. @throws UsageError for one that is none of the forms. */
export async function readGiven(words: readonly string[], io: Io): Promise<GivenArguments> {
  const values = new Map<string, unknown>()
  const texts = new Map<string, string[]>()
  for (const word of words) {
    const equals = word.indexOf('=')
    if (word === '-') merge(values, await io.readStdin(), 'stdin')
    else if (word.startsWith('@')) merge(values, await readText(word.slice(1)), word.slice(1))
    else if (word.startsWith('{')) merge(values, word, 'the argument')
    else if (/^[^=]+:=/.test(word)) values.set(word.slice(0, equals - 1), parse(word.slice(equals + 1), word))
    else if (equals > 0 && !word.startsWith(':=')) {
      const key = word.slice(0, equals)
      texts.set(key, [...(texts.get(key) ?? []), word.slice(equals + 1)])
    } else throw new UsageError(`${JSON.stringify(word)} is no argument. Write key=value, as in --help.`)
  }
  return { values, texts }
}

function merge(values: Map<string, unknown>, text: string, source: string): void {
  const object = parse(text, source)
  if (!isObject(object)) throw new UsageError(`${source} must be a JSON object of arguments`)
  for (const [key, value] of Object.entries(object as JsonObject)) values.set(key, value)
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${source} is no valid JSON: ${thrownMessage(cause)}`, { cause })
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`Cannot read the arguments in ${path}: ${thrownMessage(cause)}`, { cause })
  }
}
