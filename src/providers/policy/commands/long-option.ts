/** Whether a word is one of these long options, also shortened as getopt takes them: `--upl=x` is `--upload-pack=x`. */
export function isLongOption(word: string, names: readonly string[]): boolean {
  const given = /^--([^=]+)/.exec(word)?.[1]
  return given !== undefined && names.some((name) => name.startsWith(given))
}
