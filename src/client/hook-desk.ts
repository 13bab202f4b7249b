import type { HookDesk, Question } from '../../workers/frames.ts'
import type { HookName } from '../protocol/capabilities.ts'
import type { Hook, Hooks } from './hooks.ts'

/** The hooks of a host as its connections may ask them. */
export function hookDesk(hooks: Hooks): HookDesk {
  const table: { readonly [hook in HookName]: Hook<unknown> | undefined } = {
    elicit: hooks.onElicit,
    sample: hooks.onSample,
    listRoots: hooks.onListRoots,
  }
  const open = new Map<number, AbortController>()
  return {
    async ask({ id, hook, method, params }: Question) {
      const abort = new AbortController()
      open.set(id, abort)
      try {
        return await table[hook]?.({ method, params }, { signal: abort.signal })
      } finally {
        open.delete(id)
      }
    },
    withdraw: (questionId) => open.get(questionId)?.abort(),
  }
}

export function wiredHooks({ onElicit, onSample, onListRoots }: Hooks): readonly HookName[] {
  const wired: HookName[] = []
  if (onElicit) wired.push('elicit')
  if (onSample) wired.push('sample')
  if (onListRoots) wired.push('listRoots')
  return wired
}
