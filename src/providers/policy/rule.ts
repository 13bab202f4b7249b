export type Decision = 'allow' | 'ask' | 'deny'

/** One sentence about calls; plain JSON. Every member besides `tool` and `decision` narrows it, or describes it. */
export interface Rule {
  /** An exact name, or a prefix with a trailing `*`; `*` alone is every tool. */
  readonly tool: string
  readonly decision: Decision
  /** A directory that the call's locations are in; relative to the tool's root. */
  readonly under?: string
  /** The basename of the program that runs, or a prefix with a trailing `*`; whichever folder it is in. */
  readonly command?: string
  /** What the program's arguments begin with. Needs `command`. */
  readonly args?: readonly string[]
  /** One of these stands anywhere in the program's arguments. Needs `command`. */
  readonly argsAny?: readonly string[]
  /** The name of a predicate that the policy was given. */
  readonly check?: string
  /** The host of the call's `url`, or `*.` and a domain whose subdomains are meant. */
  readonly host?: string
  /** Shown to the person who is asked, and told to the model when the call is denied. */
  readonly note?: string
  /** Marks what no remembered grant may allow: the person is asked every time. */
  readonly severity?: 'danger'
}
