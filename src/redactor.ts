import { mask } from './secret-shapes.ts'

/**
 * Hides secrets wherever they turn up in a text, also as JSON or part of a URL, or broken at their spaces and lines. What is
 * shorter than six characters is let through: `true` and `3000` are values of variables too.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    // Of a key of many lines each may turn up alone.
    .flatMap((secret) => [secret, ...secret.split(/\r?\n/)])
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ])
  if (spellings.length === 0) return (text) => text
  // The longest first: one may hold another.
  const sorted = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(sorted.map((spelling) => spelling.replaceAll(special, '\\$&')).join('|'), 'g')
  return (text) => text.replaceAll(pattern, mask)
}

/** The values of headers, and the words of each: `Bearer abc` and `abc`. */
export function withWords(headers: { readonly [name: string]: string } = {}): readonly string[] {
  return Object.values(headers).flatMap((header) => [header, ...header.split(/\s+/).slice(1)])
}

const shortest = 6
const special = /[\\^$.*+?()[\]{}|/-]/g
