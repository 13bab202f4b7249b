import { escapeUnseen } from './json-text.ts'

/** A name or a path as it is where that can be told from what stands around it, else as JSON: `/w/a`, `"/w/a under /"`. */
export function plainText(text: string): string {
  return /^[\p{L}\p{N}!#-~]+$/u.test(text) && escapeUnseen(text) === text
    ? text
    : escapeUnseen(JSON.stringify(text))
}
