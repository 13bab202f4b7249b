import { isLoopback } from '../../loopback.ts'
import type { ElicitRequestURLParams, ElicitResult } from '../../protocol/elicitation.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { oneLine } from '../text/printable.ts'
import type { Asking } from './elicitation.ts'
import type { Prompter } from './prompter.ts'

/** Asks to go to a page. Nothing is opened, or even looked at, before the person has seen where it leads. */
export async function askUrl(
  { url: text }: ElicitRequestURLParams,
  prompter: Prompter,
  { serverName, signal }: Asking,
): Promise<ElicitResult> {
  const { style } = prompter
  const url = readUrl(text)
  if (!url) {
    prompter.say(style.yellow(`It names no web address, but ${oneLine(text) || 'nothing'}: declined.`))
    return { action: 'decline' }
  }
  prompter.say(
    [`  url   ${url.href}`, `  host  ${style.bold(url.host)}`, ...warnings(url).map(style.red)].join('\n'),
  )
  const open = { value: 'open', label: `Open it in the browser`, hint: url.host } as const
  let choices: readonly (typeof open | typeof visited | typeof decline)[] = [open, visited, decline]
  for (;;) {
    const chosen = await prompter.choose(`Go there for ${serverName}?`, choices, 'decline', signal)
    if (chosen === undefined) return { action: 'cancel' }
    if (chosen === 'decline') return { action: 'decline' }
    if (chosen === 'visited') return { action: 'accept' }
    try {
      await prompter.openUrl(url.href)
      return { action: 'accept' }
    } catch (error) {
      const reason = oneLine(thrownMessage(error))
      prompter.say(style.yellow(`It cannot be opened from here (${reason}): open it yourself.`))
      choices = [visited, decline]
    }
  }
}

/** In its own spelling: a host in other letters is shown, and opened, as what it is. */
function readUrl(text: unknown): URL | undefined {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

function warnings({ protocol, username, password, hostname }: URL): readonly string[] {
  return [
    ...(protocol === 'http:' && !isLoopback(hostname)
      ? ['  It is not encrypted: others may read along.']
      : []),
    ...(username || password ? ['  What stands before the @ is no host, but a user name.'] : []),
    ...(/(^|\.)xn--/.test(hostname) ? ['  Its host is written in letters that may look like others.'] : []),
  ]
}

const visited = { value: 'visited', label: 'I opened it myself' } as const
const decline = { value: 'decline', label: 'Decline' } as const
