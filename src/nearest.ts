/** The name somebody most likely meant; undefined when none is near. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  // What nobody typed is not read to its end.
  if (written.length > longest) return undefined
  const wanted = plain(written)
  if (wanted === '') return undefined
  let most = Math.min(Math.max(1, Math.floor(wanted.length * 0.4)), mostEdits)
  let best: string | undefined
  for (const name of names) {
    const distance = name.length > longest ? undefined : distanceWithin(most, wanted, plain(name))
    if (distance === undefined) continue
    best = name
    if (distance === 0) return best
    // Another one has to be nearer.
    most = distance - 1
  }
  if (best !== undefined) return best
  const holding = names.filter((name) => wanted.length > 2 && plain(name).includes(wanted))
  return holding.sort((a, b) => a.length - b.length)[0]
}

/** What to write instead of a name that is none: the nearest, or all when they are few, or the command that lists them. */
export function suggestion(written: string, names: readonly string[], listedBy: string): string {
  const near = nearest(written, names)
  if (near !== undefined) return `Did you mean ${near}?`
  if (names.length === 0) return 'There are none.'
  return names.length <= 8
    ? `There are: ${names.join(', ')}.`
    : `${listedBy} lists the ${names.length} there are.`
}

/** People forget which of `-`, `_` and capitals it was. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.\s]/g, '')
}

/**
 * Edits from one word to the other; a swap of neighbours counts as one. Undefined when there are more than so many: of each row only
 * what so many edits can reach is looked at.
 */
function distanceWithin(most: number, from: string, to: string): number | undefined {
  if (Math.abs(from.length - to.length) > most) return undefined
  let before: number[] = []
  let last = Array.from({ length: Math.min(to.length, most) + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current: number[] = []
    if (row <= most) current[0] = row
    let least = at(current, 0)
    for (let column = Math.max(1, row - most); column <= Math.min(to.length, row + most); column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      least = Math.min(least, at(current, column))
    }
    // A swap looks two rows back, and costs one.
    if (least > most + 1) return undefined
    before = last
    last = current
  }
  const distance = at(last, to.length)
  return distance <= most ? distance : undefined
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}

const longest = 200
/** More than this is another word, however long it is. */
const mostEdits = 10
