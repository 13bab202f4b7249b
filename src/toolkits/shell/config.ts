import { isAbsolute } from 'node:path'
import { text, texts, wholeNumber } from '../../check-options.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { type ConfigChecks, type ConfigProperties, checkConfig } from '../check-config.ts'

/** Sizes in bytes, times in ms. */
export interface ShellConfig {
  /**
   * The programs that may be run: names, which are looked for in the folders of PATH that are not below the root, and absolute paths. Nothing else is; but what one of these
   * runs itself is its own business (`env`, `xargs`, `git`, interpreters).
   */
  readonly allow: readonly string[]
  /** The directory that programs start in, or below; default the working directory of the server. They are not kept in it. */
  readonly root?: string
  /** The environment variables that programs get; without PATH only absolute paths can be run; default PATH, HOME, and those that name the user, language, time zone and terminal. */
  readonly variables?: readonly string[]
  /** How many programs may run at once; one more is refused; default 16. */
  readonly maxPrograms?: number
  /** How long a program may run at most, and does where the call names no time; default 120 000. */
  readonly timeoutMs?: number
  /** How much of its output, and as much of its errors, is answered: the beginning and the end; default 64 KiB. */
  readonly keepBytes?: number
  /** A program that writes more than this is ended; default 64 MiB. */
  readonly maxOutputBytes?: number
  /** What a program that has to end gets between SIGTERM and SIGKILL; default 2000. */
  readonly killGraceMs?: number
}

const defaults = {
  root: '.',
  maxPrograms: 16,
  timeoutMs: 120_000,
  keepBytes: 64 * 2 ** 10,
  maxOutputBytes: 64 * 2 ** 20,
  killGraceMs: 2_000,
  variables: [
    ...[
      'PATH',
      'HOME',
      'USER',
      'LOGNAME',
      'SHELL',
      'LANG',
      'LANGUAGE',
      'LC_ALL',
      'LC_CTYPE',
      'TZ',
      'TERM',
      'TMPDIR',
    ],
    // Windows starts hardly anything without these.
    ...[
      'SystemRoot',
      'SystemDrive',
      'ComSpec',
      'PATHEXT',
      'TEMP',
      'TMP',
      'USERPROFILE',
      'APPDATA',
      'LOCALAPPDATA',
    ],
  ],
} as const

/** The same as JSON Schema. */
export const shellSchema: JsonObject = {
  type: 'object',
  properties: {
    allow: names('The programs that may be run: names to be found in PATH, and absolute paths'),
    root: {
      type: 'string',
      format: 'path',
      minLength: 1,
      default: defaults.root,
      description: 'Where programs start, or below',
    },
    variables: { ...names('The environment variables that programs get'), default: defaults.variables },
    maxPrograms: number('maxPrograms', 'How many programs may run at once'),
    timeoutMs: number('timeoutMs', 'How long a program may run, in ms'),
    keepBytes: number('keepBytes', 'How much of its output is answered: the beginning and the end'),
    maxOutputBytes: number('maxOutputBytes', 'A program that writes more is ended'),
    killGraceMs: number('killGraceMs', 'Between SIGTERM and SIGKILL, in ms'),
  } satisfies ConfigProperties<ShellConfig>,
  required: ['allow'],
  additionalProperties: false,
}

const checks: ConfigChecks<ShellConfig> = {
  allow: programs,
  root: text,
  variables: texts,
  maxPrograms: wholeNumber,
  timeoutMs: wholeNumber,
  keepBytes: wholeNumber,
  maxOutputBytes: wholeNumber,
  killGraceMs: wholeNumber,
}

/** Complete, with the defaults. @throws ConfigError */
export function readShellConfig(config: ShellConfig): Required<ShellConfig> {
  checkConfig(config, checks, ['allow'])
  const {
    allow,
    root = defaults.root,
    variables = defaults.variables,
    maxPrograms = defaults.maxPrograms,
    timeoutMs = defaults.timeoutMs,
    keepBytes = defaults.keepBytes,
    maxOutputBytes = defaults.maxOutputBytes,
    killGraceMs = defaults.killGraceMs,
  } = config
  return { allow, root, variables, maxPrograms, timeoutMs, keepBytes, maxOutputBytes, killGraceMs }
}

/** A relative path would be another program in each directory. */
function programs(value: unknown): string | undefined {
  const isProgram = (name: unknown) =>
    typeof name === 'string' && name !== '' && (isAbsolute(name) || !/[\\/]/.test(name))
  return Array.isArray(value) && value.length > 0 && value.every(isProgram)
    ? undefined
    : 'must be a non-empty array of names and absolute paths of programs'
}

function names(description: string): JsonObject {
  return { type: 'array', items: { type: 'string', minLength: 1 }, description }
}

function number(
  key: 'maxPrograms' | 'timeoutMs' | 'keepBytes' | 'maxOutputBytes' | 'killGraceMs',
  description: string,
): JsonObject {
  return { type: 'integer', minimum: 1, default: defaults[key], description }
}
