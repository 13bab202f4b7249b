/** How to start a server and how to end it. Plain data: it crosses to the thread that runs the connection. */
export interface StdioOptions {
  /** A program: a name that is looked for in PATH, or a path (a relative one from `cwd`). Never a shell command line. */
  readonly command: string
  /** Handed on as they are; nothing is expanded or split. Default: none. */
  readonly args?: readonly string[]
  /** Variables over the inherited ones. Default: none. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether the server gets the environment of this process. `false`: it gets exactly `env`. Default: true. */
  readonly inheritEnv?: boolean
  /** Where it runs. Default: the working directory of this process. */
  readonly cwd?: string
  /** How long each step of closing may take: after the end of stdin, and after SIGTERM. Milliseconds, default 2000. */
  readonly killGraceMs?: number
  /** How many lines of its stderr a report of its death carries. Default: 50. */
  readonly stderrLines?: number
  /** A longer line of stdout is discarded, and only the call it answers fails. Bytes, default 64 MiB. */
  readonly maxMessageBytes?: number
}
