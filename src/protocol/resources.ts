import type { Annotations, ResourceContents } from './content.ts'
import type { Icon } from './implementation.ts'
import type { JsonObject } from './json-rpc.ts'

/** Source: server/resources; schema `Resource`, `ResourceTemplate`, `ReadResourceResult`. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  /** In bytes. */
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

/** `uriTemplate` is an RFC 6570 template. */
export interface ResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

/** One entry per thing the URI resolved to. */
export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[]
  readonly _meta?: JsonObject
}

/** Whether `uri` is the resource or a part of it: `updated` may name a sub-resource. */
export function isWithin(uri: string, resource: string): boolean {
  return uri === resource || uri.startsWith(resource.endsWith('/') ? resource : `${resource}/`)
}
