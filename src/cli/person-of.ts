import type { OnAsk } from '../providers/policy/ask.ts'
import type { Invocation } from './invocation.ts'
import { styleFor } from './text/style.ts'
import { UsageError } from './usage-error.ts'

export interface Asked {
  /** What is said through it waits while a question is open. */
  readonly invocation: Invocation
  /** Undefined without `--ask`. */
  readonly onAsk?: OnAsk
}

/**
 * The person at the terminal, where `--ask` wants them asked. `serverName` is whose question a server's question is.
 * @throws UsageError without a terminal
 */
export async function personOf(invocation: Invocation, serverName: () => string): Promise<Asked> {
  const { io, options, config } = invocation
  if (!options.ask) return { invocation }
  const { terminal } = io
  if (!terminal)
    throw new UsageError(
      '--ask wants a terminal to ask at: stdin and stderr must both be one. Without it, rules in the configuration decide.',
    )
  const { HeldOutput } = await import('./ask/held-output.ts')
  const { personAt } = await import('./ask/person.ts')
  const held = new HeldOutput(io)
  const style = styleFor(io.err, io.env)
  const person = personAt({ terminal, style, serverName, grantsFile: config?.settings.grantsFile })
  return {
    invocation: { ...invocation, io: held.io },
    onAsk: (request, context) => held.during(async () => person(request, context)),
  }
}
