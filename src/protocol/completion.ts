/** Source: server/utilities/completion. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

export interface CompletionArgument {
  readonly name: string
  readonly value: string
}

/** At most 100 `values`; `total` counts all there are. */
export interface Completion {
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore?: boolean
}
