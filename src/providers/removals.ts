let removals = 0

/**
 * How many entries all registries of this process have lost so far: orders calls that somebody is asked about against what is taken
 * out meanwhile.
 */
export function removalsSoFar(): number {
  return removals
}

/** Counts one more, and says how many that makes. */
export function countRemoval(): number {
  removals += 1
  return removals
}
