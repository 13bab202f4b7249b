import {
  badOption,
  type Check,
  checkOptions,
  hook,
  json,
  object,
  oneOf,
  string,
  wholeOrZero,
} from '../../check-options.ts'
import type { ResourceContents } from '../../protocol/content.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Resource, ResourceTemplate } from '../../protocol/resources.ts'
import type { CacheHint } from '../../protocol/results.ts'
import type { RequestContext } from '../request/request-context.ts'
import { type MatchUri, readUriTemplate } from '../schema/uri-template.ts'
import { type Completer, checkCompleters } from './completer.ts'
import { icons } from './icons.ts'

/** What a resource says of itself, and how long that holds. */
export interface ResourceDefinition extends Omit<Resource, 'uri' | '_meta'> {
  readonly meta?: JsonObject
  /** How long a reader may keep what it read; default 0: not at all. */
  readonly ttlMs?: number
  /** `public` says that every reader gets the same; default `private`. */
  readonly cacheScope?: 'public' | 'private'
}

export interface TemplateDefinition extends Omit<ResourceDefinition, 'size'> {
  /** By variable: the values it could take. */
  readonly complete?: { readonly [variable: string]: Completer }
}

/** Text, bytes, or all contents. Throwing a ProtocolError answers with it; anything else thrown is an internal error. */
export type ResourceAnswer =
  | string
  | Uint8Array
  | readonly ResourceContents[]
  | { readonly contents: readonly ResourceContents[]; readonly _meta?: JsonObject }

export interface ResourceRequest {
  readonly uri: string
  /** Of the template that fits; decoded. */
  readonly variables: { readonly [variable: string]: string }
}

export type ResourceHandler = (
  request: ResourceRequest,
  context: RequestContext,
) => ResourceAnswer | Promise<ResourceAnswer>

interface Readable {
  readonly cache: CacheHint
  readonly handler: ResourceHandler
}

export interface RegisteredResource extends Readable {
  readonly listed: Resource
}

export interface RegisteredTemplate extends Readable {
  readonly listed: ResourceTemplate
  readonly match: MatchUri
  readonly complete: { readonly [variable: string]: Completer }
}

/** @throws ConfigError */
export function prepareResource(
  uri: string,
  definition: ResourceDefinition,
  handler: unknown,
): RegisteredResource {
  // No URI has braces.
  if (/[{}]/.test(uri)) throw badOption(uri, 'has a variable: register a template instead', ['resource'])
  const { readable, listed } = prepare(uri, definition, handler, resourceChecks)
  return { ...readable, listed: { uri, ...listed } }
}

/** @throws ConfigError */
export function prepareTemplate(
  uriTemplate: string,
  definition: TemplateDefinition,
  handler: unknown,
): RegisteredTemplate {
  const reading = readUriTemplate(uriTemplate)
  if ('complaint' in reading) throw badOption(uriTemplate, reading.complaint, ['template'])
  const { complete = {}, ...rest } = definition
  checkCompleters(complete, reading.variables, ['template', uriTemplate])
  const { readable, listed } = prepare(uriTemplate, rest, handler, templateChecks)
  return { ...readable, listed: { uriTemplate, ...listed }, match: reading.match, complete }
}

function prepare(key: string, definition: ResourceDefinition, handler: unknown, checks: Checks) {
  const path = ['resource', key]
  checkOptions(definition, checks, path)
  if (definition.name === undefined) throw badOption('name', 'is missing: what people call it', path)
  const complaint = hook(handler)
  if (complaint) throw badOption('handler', complaint, path)
  const { ttlMs = 0, cacheScope = 'private', meta, ...listed } = definition
  const readable: Readable = { cache: { ttlMs, cacheScope }, handler: handler as ResourceHandler }
  return { readable, listed: { ...listed, ...(meta && { _meta: meta }) } }
}

type Checks = { readonly [option: string]: Check }

const templateChecks = {
  name: string,
  title: string,
  description: string,
  mimeType: string,
  annotations: object,
  icons,
  meta: json,
  ttlMs: wholeOrZero,
  cacheScope: oneOf('public', 'private'),
} satisfies Checks

const resourceChecks = { ...templateChecks, size: wholeOrZero } satisfies Checks
