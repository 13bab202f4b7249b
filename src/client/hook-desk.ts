import type { HookDesk, Question } from '../../workers/frames.ts'
import type { HookName } from '../protocol/capabilities.ts'
import { complaintAboutQuestion } from '../protocol/question-shape.ts'
import { authorizationDesk, type TokenSource } from './authorization-desk.ts'
import type { Hook, HookContext, Hooks } from './hooks.ts'

/** Gives the headers of the next request, e.g. a fresh token. */
export type HeaderSource = () => HeaderRecord | Promise<HeaderRecord>
type HeaderRecord = { readonly [name: string]: string }

/** The hooks of a host as its connection may ask them, and what withdraws every open question when that connection is over. */
export function hookDesk(
  hooks: Hooks,
  headers: HeaderSource | undefined,
  tokens: TokenSource | undefined,
): { readonly desk: HookDesk; readonly withdrawAll: () => void } {
  const table: { readonly [hook in HookName]: Hook<never, unknown> | undefined } = {
    elicit: hooks.onElicit,
    sample: hooks.onSample,
    listRoots: hooks.onListRoots,
  }
  const open = new Map<number, AbortController>()
  const over = new AbortController()
  const desk: HookDesk = {
    async ask({ id, hook, method, params, claim, toolCall }: Question) {
      const complaint = complaintAboutQuestion(hook, params)
      if (complaint) throw new TypeError(`the server asked something malformed: ${complaint}`)
      const abort = new AbortController()
      const context: HookContext = {
        signal: abort.signal,
        ...(claim !== undefined && { claim }),
        ...(toolCall && { toolCall }),
      }
      open.set(id, abort)
      try {
        return await table[hook]?.({ method, params } as never, context)
      } finally {
        open.delete(id)
      }
    },
    headers: async () => ({ ...(await headers?.()) }),
    ...authorizationDesk(tokens, over.signal),
    withdraw: (questionId) => open.get(questionId)?.abort(),
  }
  const withdrawAll = () => {
    over.abort()
    for (const abort of open.values()) abort.abort()
  }
  return { desk, withdrawAll }
}

export function wiredHooks({ onElicit, onSample, onListRoots }: Hooks): readonly HookName[] {
  const wired: HookName[] = []
  if (onElicit) wired.push('elicit')
  if (onSample) wired.push('sample')
  if (onListRoots) wired.push('listRoots')
  return wired
}
