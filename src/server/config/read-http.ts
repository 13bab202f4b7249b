import type { Place } from '../../config/place.ts'
import { count, flag, listOf, milliseconds, type Read, record, text } from '../../config/readers.ts'
import { ConfigError } from '../../errors.ts'
import { checkServeHttpOptions, type ServeHttpOptions } from '../http/http-options.ts'
import { originComplaint } from '../http/origin.ts'

/** What of serving over HTTP can be said in a file: all but functions, stores and patterns. */
export type HttpSection = Omit<ServeHttpOptions, 'authorization' | 'eventStore' | 'allowedOrigins'> & {
  readonly allowedOrigins?: readonly string[]
}

export const readHttp: Read<HttpSection> = (value, place) => {
  const http = readMembers(value, place)
  try {
    checkServeHttpOptions(http)
  } catch (error) {
    throw error instanceof ConfigError ? place.holding(error) : error
  }
  return http
}

const origin: Read<string> = (value, place: Place) => {
  const given = text(value, place)
  const complaint = originComplaint(given)
  if (complaint) throw place.bad(complaint)
  return given
}

const readMembers = record<HttpSection>({
  port: count,
  host: text,
  path: text,
  allowedOrigins: listOf(origin),
  allowNoOrigin: flag,
  allowedHosts: listOf(text),
  keepAliveMs: milliseconds,
  legacy: flag,
  maxSessions: count,
  sessionIdleMs: milliseconds,
  retryMs: milliseconds,
  maxRequests: count,
  maxMessageBytes: count,
  headersTimeoutMs: milliseconds,
  requestTimeoutMs: milliseconds,
  stallTimeoutMs: milliseconds,
  closeGraceMs: milliseconds,
})
