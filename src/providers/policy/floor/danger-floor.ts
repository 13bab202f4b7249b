import type { Check } from '../evaluation-options.ts'
import type { Rule } from '../rule.ts'
import { runsUnseenScript } from './bare-interpreter.ts'
import { destroysWithGit } from './destructive-git.ts'
import { writesConfiguration, writesStartUp } from './protected-writes.ts'
import { removesEverything, removesUnreadable } from './removal.ts'

export interface FloorOptions {
  /** The home directory that `~` and `$HOME` mean; absolute. */
  readonly home: string
  /** The agent's own configuration directory; absolute. */
  readonly configDir: string
}

/** What is said of each danger. */
type Danger = Omit<Rule, 'tool' | 'severity'> & { readonly note: string }

const unseen = 'what it runs cannot be seen'
const superuser = 'runs as another user'
const off = 'stops the machine'
const overwrites = 'overwrites a disk'

const dangers: readonly Danger[] = [
  { decision: 'deny', check: 'floor:removes-everything', note: 'removes the whole disk or home directory' },
  { decision: 'deny', check: 'floor:writes-configuration', note: "changes the agent's own configuration" },
  { decision: 'ask', check: 'floor:removes-unreadable', note: 'what it removes cannot be seen' },
  { decision: 'ask', check: 'floor:destroys-with-git', note: 'rewrites history or loses uncommitted work' },
  { decision: 'ask', check: 'floor:runs-unseen-script', note: unseen },
  {
    decision: 'ask',
    check: 'floor:writes-start-up',
    note: 'changes what every later shell or git command runs',
  },
  ...commands(['mkfs*', 'dd', 'wipefs'], overwrites),
  ...commands(['sudo', 'doas', 'su', 'pkexec', 'run0'], superuser),
  ...commands(['shutdown', 'reboot', 'halt', 'poweroff'], off),
]

/**
 * The rules no preset and no remembered grant takes away: what destroys is denied, what may destroy is asked every time.
 * They name the predicates of `floorChecks`. `tools` are the patterns of the tools that run commands; default `sh_*`.
 */
export function dangerFloor({
  tools = ['sh_*'],
}: FloorOptions & { readonly tools?: readonly string[] }): Rule[] {
  return tools.flatMap((tool) => dangers.map((danger) => ({ tool, ...danger, severity: 'danger' as const })))
}

/** The predicates that the rules of `dangerFloor` name. */
export function floorChecks(options: FloorOptions): { readonly [name: string]: Check } {
  return {
    'floor:removes-everything': (command) => removesEverything(command, options.home),
    'floor:writes-configuration': (command) => writesConfiguration(command, options),
    'floor:removes-unreadable': removesUnreadable,
    'floor:destroys-with-git': destroysWithGit,
    'floor:runs-unseen-script': runsUnseenScript,
    'floor:writes-start-up': writesStartUp,
  }
}

function commands(programs: readonly string[], note: string): readonly Danger[] {
  return programs.map((command) => ({ decision: 'ask', command, note }))
}
