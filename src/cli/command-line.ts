import { UsageError } from './usage-error.ts'

/** The server to talk to: what stands after `--`. */
export interface Target {
  readonly command: string
  readonly args: readonly string[]
}

/** Parts what is ours from what is the server's. @throws UsageError when nothing follows `--`. */
export function splitCommandLine(argv: readonly string[]): { own: readonly string[]; target?: Target } {
  const dashes = argv.indexOf('--')
  if (dashes < 0) return { own: argv }
  const own = argv.slice(0, dashes)
  const [command, ...args] = argv.slice(dashes + 1)
  if (!command) throw missingTarget(own.filter((word) => !word.startsWith('-')))
  return { own, target: { command, args } }
}

/** `words` are the command and its operands as they were given; `rest` what looks like a server's command line among them. */
export function missingTarget(words: readonly string[], rest: readonly string[] = []): UsageError {
  const line = ['troupe', ...words.map(quoted), '--'].join(' ')
  const examples = rest.length
    ? [`${line} ${rest.map(quoted).join(' ')}`]
    : [
        `${line} node server.js`,
        `${line} npx -y @modelcontextprotocol/server-everything`,
        `${line.slice(0, -2)}--url https://example.com/mcp`,
      ]
  return new UsageError(
    [
      'No server to talk to. Its own command line goes after --, or --url says where it is, like this:',
      ...examples,
    ].join('\n  '),
  )
}

/** As one would write it in a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
