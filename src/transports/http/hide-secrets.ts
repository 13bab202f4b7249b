import { knownToken, mask } from '../../secret-shapes.ts'

/** A path for people and logs: without its query, cut to 120 characters, and with `***` for what is long or looks like a token. */
export function describePath(path: string): string {
  const shown = segmentsOf(path).map((segment, index, all) =>
    isSecret(segment, all[index - 1]) ? mask : segment,
  )
  const text = shown.join('/')
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`
}

/** What a server said, without what `describePath` hides: many servers repeat what they were asked for. */
export function withoutSecrets(text: string, path: string): string {
  return secretsOf(path).reduce((rest, secret) => rest.replaceAll(secret, mask), text)
}

/** Each as it is written in the path, and decoded. */
function secretsOf(path: string): readonly string[] {
  const inPath = segmentsOf(path).filter((segment, index, all) => isSecret(segment, all[index - 1]))
  const written =
    /\?(.*)$/s
      .exec(path)?.[1]
      ?.split('&')
      .map((pair) => pair.replace(/^[^=]*=/, '')) ?? []
  const all = [...inPath, ...written].flatMap((secret) => [secret, decoded(secret)])
  // The longest first: a short one may be a part of it.
  return all.filter(({ length }) => length >= shortestInText).sort((a, b) => b.length - a.length)
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/[?#].*$/s, '').split('/')
}

/** Some services put the key into the path. */
function isSecret(segment: string, before = ''): boolean {
  const isMixed = segment.length >= 16 && /\d/.test(segment) && /[a-z]/i.test(segment)
  return (
    segment.length >= 24 ||
    isMixed ||
    knownToken.test(segment) ||
    (segment !== '' && secretSegment.test(before))
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const maxLength = 120
/** A shorter one would be found in words, too. */
const shortestInText = 6
/** Of a path, where the segment after it is the secret. */
const secretSegment = /^(.*token|secret|password|credentials?|auth|api[-_]?key|key|session|sig)$/i
