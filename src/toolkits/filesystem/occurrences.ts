/**
 * Where a passage stands in a text, overlapping ones too. Takes as long as both are together (Knuth, Morris and Pratt): `indexOf` takes
 * minutes for a passage of a few kilobytes that is made for it.
 */
export function* occurrences(text: string, passage: string): Generator<number> {
  const fallback = fallbackOf(passage)
  let matched = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    while (matched > 0 && (matched === passage.length || passage.charCodeAt(matched) !== code))
      matched = fallback[matched - 1] ?? 0
    if (passage.charCodeAt(matched) === code) matched += 1
    if (matched === passage.length) yield at - matched + 1
  }
}

export function stands(passage: string, text: string): boolean {
  return occurrences(text, passage).next().done === false
}

/** Of each beginning of the passage: the length of the longest shorter one that it ends with. */
function fallbackOf(passage: string): Uint32Array {
  const fallback = new Uint32Array(passage.length)
  let matched = 0
  for (let at = 1; at < passage.length; at += 1) {
    const code = passage.charCodeAt(at)
    while (matched > 0 && passage.charCodeAt(matched) !== code) matched = fallback[matched - 1] ?? 0
    if (passage.charCodeAt(matched) === code) matched += 1
    fallback[at] = matched
  }
  return fallback
}
