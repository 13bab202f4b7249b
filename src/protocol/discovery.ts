import type { ServerCapabilities } from './capabilities.ts'
import type { Implementation } from './implementation.ts'
import { isObject, type JsonObject } from './json-rpc.ts'
import { MetaKey } from './meta.ts'

/** What a server says about itself, in either era. */
export interface Discovery {
  readonly supportedVersions: readonly string[]
  readonly capabilities: ServerCapabilities
  readonly serverInfo: Implementation | undefined
  readonly instructions: string | undefined
}

/** Reads a DiscoverResult; undefined when it is none. `serverInfo` is tolerated in the body too. */
export function readDiscovery(result: JsonObject): Discovery | undefined {
  const { supportedVersions, resultType = 'complete' } = result
  if (resultType !== 'complete' || !isStringArray(supportedVersions)) return undefined
  const meta = isObject(result._meta) ? result._meta : {}
  return { supportedVersions, ...readSelf(result, meta[MetaKey.serverInfo] ?? result.serverInfo) }
}

/** The part of an answer in which a server describes itself; anything malformed counts as absent. */
export function readSelf(result: JsonObject, serverInfo: unknown): Omit<Discovery, 'supportedVersions'> {
  return {
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    serverInfo: isImplementation(serverInfo) ? serverInfo : undefined,
    instructions: typeof result.instructions === 'string' ? result.instructions : undefined,
  }
}

/** Versions as an error's `data` names them; empty when it names none. */
export function namedVersions(data: unknown): readonly string[] {
  return isObject(data) && isStringArray(data.supported) ? data.supported : []
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function isImplementation(value: unknown): value is Implementation {
  return isObject(value) && typeof value.name === 'string'
}
