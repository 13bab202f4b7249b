import { flag, text, wholeNumber } from '../../check-options.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { type ConfigChecks, type ConfigProperties, checkConfig } from '../check-config.ts'

/** Sizes in bytes, times in ms. */
export interface FileSystemConfig {
  /** The directory that is served, and nothing outside of it; relative to the working directory. It must be there. */
  readonly root: string
  /** Leaves out the tools that change anything; default false. */
  readonly readOnly?: boolean
  /** The largest file that is read, searched, edited or written; default 16 MiB. */
  readonly maxFileBytes?: number
  /** How much text one `read` answers with, the rest being asked for by lines; default 256 KiB. */
  readonly maxReadBytes?: number
  /** How many entries, or matches, one answer lists; default 1000. */
  readonly maxEntries?: number
  /** How long a `grep` may take, whatever its expression; default 10 000. */
  readonly grepTimeoutMs?: number
}

const defaults = {
  readOnly: false,
  maxFileBytes: 16 * 2 ** 20,
  maxReadBytes: 256 * 2 ** 10,
  maxEntries: 1_000,
  grepTimeoutMs: 10_000,
} as const

/** The same as JSON Schema. */
export const fileSystemSchema: JsonObject = {
  type: 'object',
  properties: {
    root: { type: 'string', format: 'path', minLength: 1, description: 'The directory that is served' },
    readOnly: {
      type: 'boolean',
      default: defaults.readOnly,
      description: 'Leaves out the tools that change anything',
    },
    maxFileBytes: number('maxFileBytes', 'The largest file that is read, searched, edited or written'),
    maxReadBytes: number('maxReadBytes', 'How much text one read answers with, in bytes'),
    maxEntries: number('maxEntries', 'How many entries, or matches, one answer lists'),
    grepTimeoutMs: number('grepTimeoutMs', 'How long a grep may take, in ms'),
  } satisfies ConfigProperties<FileSystemConfig>,
  required: ['root'],
  additionalProperties: false,
}

const checks: ConfigChecks<FileSystemConfig> = {
  root: text,
  readOnly: flag,
  maxFileBytes: wholeNumber,
  maxReadBytes: wholeNumber,
  maxEntries: wholeNumber,
  grepTimeoutMs: wholeNumber,
}

/** Complete, with the defaults. @throws ConfigError */
export function readFileSystemConfig(config: FileSystemConfig): Required<FileSystemConfig> {
  checkConfig(config, checks, ['root'])
  const {
    root,
    readOnly = defaults.readOnly,
    maxFileBytes = defaults.maxFileBytes,
    maxReadBytes = defaults.maxReadBytes,
    maxEntries = defaults.maxEntries,
    grepTimeoutMs = defaults.grepTimeoutMs,
  } = config
  return { root, readOnly, maxFileBytes, maxReadBytes, maxEntries, grepTimeoutMs }
}

function number(key: keyof typeof defaults, description: string): JsonObject {
  return { type: 'integer', minimum: 1, default: defaults[key], description }
}
