import type { Rule } from './rule.ts'

const harmless = [
  'fs_read',
  'fs_list',
  'fs_glob',
  'fs_stat',
  'fs_grep',
  'fs_map',
  'user_ask',
  'lock_acquire',
  'lock_release',
]

/** Reading, asking and locking: what needs no question. A copy each time. */
export function defaultRules(): Rule[] {
  return harmless.map((tool) => ({ tool, decision: 'allow' }))
}
