import type { ToolDeclaration } from '../../bridge/provider.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'

export const lockTools = { acquire: 'lock_acquire', release: 'lock_release' } as const

const defaultWaitS = 90

export interface LockRequest {
  readonly paths: readonly string[]
  readonly ttlMs?: number
  readonly waitMs: number
}

export function isLockTool(name: string): boolean {
  return name === lockTools.acquire || name === lockTools.release
}

/** What a model is shown. `defaultTtlMs` is the table's. */
export function lockDeclarations(defaultTtlMs: number): readonly ToolDeclaration[] {
  const paths = { type: 'array', items: { type: 'string' }, minItems: 1 }
  const longestS = defaultTtlMs / 1_000
  return [
    declaration(
      lockTools.acquire,
      'Locks files or directories, so that no other agent changes them: all of the paths or none. Lock everything you are going to change at once, before you read it, and release it as soon as you are done.',
      {
        paths: { ...paths, description: 'What to lock. A directory covers everything in it.' },
        ttl: {
          type: 'number',
          exclusiveMinimum: 0,
          description: `Seconds until the lock ends by itself; default ${longestS}. Lock again to keep it longer.`,
        },
        wait: {
          type: 'number',
          minimum: 0,
          description: `How many seconds to wait for other agents at most; default ${Math.min(defaultWaitS, longestS)}, never more than ${longestS}. 0 does not wait.`,
        },
      },
      ['paths'],
    ),
    declaration(
      lockTools.release,
      'Gives back what lock_acquire locked.',
      {
        paths: {
          ...paths,
          description: 'The paths as they were locked; default everything you have locked.',
        },
      },
      [],
    ),
  ]
}

/** What `lock_acquire` was asked, or what is wrong with it. */
export function readAcquire({
  paths,
  ttl,
  wait = defaultWaitS,
}: JsonObject): LockRequest | { readonly complaint: string } {
  if (!isPaths(paths)) return { complaint: '`paths` must be an array of paths: {"paths": ["src/a.ts"]}' }
  if (ttl !== undefined && typeof ttl !== 'number') return { complaint: '`ttl` must be a number of seconds' }
  if (typeof wait !== 'number' || !(wait >= 0))
    return { complaint: '`wait` must be a number of seconds, 0 or more' }
  return { paths, waitMs: wait * 1_000, ...(ttl !== undefined && { ttlMs: ttl * 1_000 }) }
}

/** What `lock_release` was asked, or what is wrong with it. */
export function readRelease({
  paths,
}: JsonObject): { readonly paths: readonly string[] | undefined } | { readonly complaint: string } {
  if (paths === undefined || isPaths(paths)) return { paths }
  return { complaint: '`paths` must be an array of paths, or left out to release everything you have locked' }
}

function isPaths(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string')
}

function declaration(
  name: string,
  description: string,
  properties: JsonObject,
  required: readonly string[],
): ToolDeclaration {
  const parameters = { type: 'object', properties, required, additionalProperties: false }
  return { type: 'function', function: { name, description, parameters } }
}
