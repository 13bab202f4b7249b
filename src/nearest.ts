/** The name somebody most likely meant; undefined when none is near. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const wanted = plain(written)
  const ranked = names
    .map((name) => ({ name, distance: distanceBetween(wanted, plain(name)) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  if (best && wanted !== '' && best.distance <= Math.max(1, Math.floor(wanted.length * 0.4))) return best.name
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

/** Edits from one word to the other; a swap of neighbours counts as one. */
function distanceBetween(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
