import { ProtocolError } from '../../errors.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import type { Implementation } from '../../protocol/implementation.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { isLoggingLevel, type LoggingLevel, loggingLevels } from '../../protocol/logging.ts'
import { MetaKey } from '../../protocol/meta.ts'
import type { Era } from '../../protocol/versions.ts'

/** Who asks, in either era: from the request itself, or from its session's handshake. */
export interface Caller {
  readonly era: Era
  readonly protocolVersion: string
  /** For display only. */
  readonly clientInfo: Implementation | undefined
  readonly clientCapabilities: ClientCapabilities
  /** From which level on it wants log messages; undefined: none. */
  readonly logLevel: LoggingLevel | undefined
}

/** Reads what a modern request says about itself. @throws ProtocolError for what is missing or malformed */
export function readStamp(params: JsonObject): Caller {
  const meta = isObject(params._meta) ? params._meta : {}
  const version = meta[MetaKey.protocolVersion]
  const capabilities = meta[MetaKey.clientCapabilities]
  const level = meta[MetaKey.logLevel]
  if (typeof version !== 'string') throw missing(MetaKey.protocolVersion, 'a string')
  if (!isObject(capabilities)) throw missing(MetaKey.clientCapabilities, 'an object')
  if (level !== undefined && !isLoggingLevel(level)) throw badLevel(level)
  return {
    era: 'modern',
    protocolVersion: version,
    clientInfo: readImplementation(meta[MetaKey.clientInfo]),
    clientCapabilities: capabilities,
    logLevel: level,
  }
}

export function readImplementation(value: unknown): Implementation | undefined {
  return isObject(value) && typeof value.name === 'string'
    ? (value as JsonObject & Implementation)
    : undefined
}

export function badLevel(level: unknown): ProtocolError {
  const given = String(JSON.stringify(level)).slice(0, 100)
  return new ProtocolError({
    code: ErrorCode.InvalidParams,
    message: `${given} is no log level; there are ${loggingLevels.join(', ')}`,
  })
}

function missing(key: string, what: string): ProtocolError {
  return new ProtocolError({
    code: ErrorCode.InvalidParams,
    message: `Every request needs ${key} in its _meta: ${what}`,
  })
}
