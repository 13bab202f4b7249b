import type { JsonObject } from './json-rpc.ts'

/** The server wants to know where it may work. Source: client/roots; schema `ListRootsRequest`. */
export interface ListRootsRequest {
  readonly method: 'roots/list'
  readonly params: JsonObject
}

export interface ListRootsResult {
  readonly roots: readonly Root[]
}

/** `uri` is a file:// URI. */
export interface Root {
  readonly uri: string
  readonly name?: string
}
