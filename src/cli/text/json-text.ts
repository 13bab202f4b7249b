import { isObject } from '../../protocol/json-rpc.ts'

/**
 * JSON on one line, whatever a terminal or a reader takes for the end of one or for a command: what JSON leaves as it is stands as
 * \uXXXX. `undefined` is null. Never throws.
 */
export function jsonText(value: unknown): string {
  return escapeControls(stringify(value) ?? 'null')
}

/** Of a JSON text, which stays the same value. Line breaks between its parts stay too. */
export function escapeControls(json: string): string {
  return json.replaceAll(controls, escaped)
}

/** The same of whatever cannot be told from a blank, or from nothing, by whoever reads it. */
export function escapeUnseen(json: string): string {
  return json.replaceAll(unseen, escaped)
}

function escaped(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

/** What cannot be written is said in its place: of an error's data, whatever an error of ours has beside it stays. */
function stringify(value: unknown, depth = 0): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (isObject(value) && depth < 2) {
      const members = Object.entries(value).map(([key, member]) => [key, stringify(member, depth + 1)])
      const written = members.flatMap(([key, text]) =>
        text === undefined ? [] : `${JSON.stringify(key)}:${text}`,
      )
      return `{${written.join(',')}}`
    }
    return JSON.stringify(
      `(cannot be shown as JSON: ${error instanceof Error ? error.message : 'it failed'})`,
    )
  }
}

const controls = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
/** Controls, formats, blanks other than the blank, and letters without a shape. */
const unseen =
  /[^\P{Cc}\n]|[^\P{Zs} ]|[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu
