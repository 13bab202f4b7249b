import type { Progress } from '../../../src/index.ts'
import type { Era } from '../../../src/protocol/versions.ts'
import type { Heard } from '../../e2e/heard.ts'

/** What every client can do, whoever made it; results are as each gives them. */
export interface Counterpart {
  readonly era: Era
  readonly server: { readonly name?: string; readonly instructions?: string }
  /** Every notification that belongs to no progress. */
  readonly notes: Heard<Note>
  /** Names or URIs, of every page. */
  list(kind: ListKind): Promise<readonly string[]>
  call(name: string, args?: { [name: string]: unknown }, options?: Calling): Promise<unknown>
  read(uri: string): Promise<unknown>
  prompt(name: string, args: { [name: string]: string }): Promise<unknown>
  complete(ref: Reference, argument: Argument, decided?: { [name: string]: string }): Promise<unknown>
  /** From when it resolves on, hears when the tools change, and this resource. */
  follow(uri: string): Promise<void>
  close(): Promise<void>
}

export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'

export interface Note {
  readonly method: string
  readonly params?: { readonly [member: string]: unknown }
}

export interface Calling {
  readonly signal?: AbortSignal
  readonly onProgress?: (report: Progress) => void
}

export type Reference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

export interface Argument {
  readonly name: string
  readonly value: string
}

/** Where the server is: a program to start, or a URL, which `fetch` may stand for. */
export type Wire =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: string[] }
  | { readonly kind: 'http'; readonly url: string; readonly fetch?: Fetch }

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** What all of them answer when they are asked. */
export const answers = {
  elicit: (schema: unknown) => {
    const asksForAge = JSON.stringify(schema).includes('"age"')
    const content: { [field: string]: string | number } = asksForAge ? { age: 36 } : { name: 'Ada' }
    return { action: 'accept' as const, content }
  },
  sample: { role: 'assistant' as const, model: 'parrot', content: { type: 'text' as const, text: 'word' } },
  roots: { roots: [{ uri: 'file:///home/ada' }] },
}
