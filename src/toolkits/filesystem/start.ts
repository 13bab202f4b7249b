/** A path from the root, of something below where a search began. */
export function below(start: readonly string[], path: readonly string[]): string {
  return [...start, ...path].join('/')
}
