import type { OnAsk } from '../../providers/policy/ask.ts'
import type { Terminal } from '../io.ts'
import type { Style } from '../text/style.ts'
import { askElicitation } from './elicitation.ts'
import { askPermission } from './permission.ts'
import { Prompter } from './prompter.ts'

export interface PersonOptions {
  readonly terminal: Terminal
  readonly style: Style
  /** Who asks, where a server does; printable. */
  readonly serverName: () => string
  /** The file that remembers what is decided for good; undefined where nothing does. */
  readonly grantsFile: string | undefined
}

/** The person at a terminal, as a policy asks them. */
export function personAt({ terminal, style, serverName, grantsFile }: PersonOptions): OnAsk {
  const prompter = new Prompter(terminal, style)
  return async (request, { signal }) => {
    const answer =
      request.kind === 'permission'
        ? await askPermission(request, prompter, { grantsFile, signal })
        : await askElicitation(request.request, prompter, { serverName: serverName(), signal })
    if (signal.aborted) prompter.say(style.dim('The question was withdrawn.'))
    return answer
  }
}
