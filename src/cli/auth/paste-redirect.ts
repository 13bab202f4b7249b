import type { InteractiveSignInOptions } from '../../auth/sign-in/interactive-sign-in.ts'
import { Interruption, type Io } from '../io.ts'
import { styleFor } from '../text/style.ts'
import { UsageError } from '../usage-error.ts'

/** Asks for the address a browser ended at: at the terminal, or else the whole of stdin. `giveUp` is told when the person does. */
export function pasteRedirect(
  io: Io,
  giveUp: AbortController,
): NonNullable<InteractiveSignInOptions['pasteRedirect']> {
  return async ({ signal, complaint }) => {
    const { terminal } = io
    if (!terminal && complaint) throw new UsageError(`what came on stdin will not do: ${complaint}`)
    if (!terminal) return io.readStdin()
    const { Prompter } = await import('../ask/prompter.ts')
    const prompter = new Prompter(terminal, styleFor(io.err, io.env))
    if (complaint) prompter.say(`That is not it: ${complaint}.`)
    const pasted = await prompter.write('The address where the browser ended', () => undefined, '', signal)
    if (pasted === undefined && !signal.aborted) giveUp.abort(new Interruption('SIGINT', 2))
    return pasted ?? ''
  }
}
