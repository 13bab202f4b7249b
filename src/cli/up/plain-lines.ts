import type { Sink } from '../io.ts'
import { oneLine, printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import type { UpEvent, View } from './event.ts'
import { paint, stateText } from './state-text.ts'

/** A line for each event, without anything a log could not hold. */
export function plainLines(sink: Sink, style: Style): View {
  return { show: (event) => sink.write(`${eventLine(event, style)}\n`) }
}

/** An event in words. */
export function eventLine(event: UpEvent, style: Style): string {
  switch (event.event) {
    case 'config':
      return oneLine(`${event.file}: ${event.servers.join(', ') || 'no servers'}`)
    case 'server':
      return `${style.bold(oneLine(event.server))}: ${paint(event.state, stateText(event.state), style)}${details(event)}`
    case 'warning':
      return `${style.yellow('warning:')} ${printable(event.message)}`
    case 'stderr':
      return `${style.dim(`${oneLine(event.server)} |`)} ${printable(event.line)}`
    case 'inspector':
      return `inspector: ${event.url}`
    case 'draining':
      return 'stopping; ^C again kills'
    case 'stopped':
      return 'all stopped'
  }
}

function details({ state, era, generation, restarts = 0, lastError }: Move): string {
  if (state === 'up')
    return ` (${[era, `generation ${generation}`, times(restarts)].filter(Boolean).join(', ')})`
  return lastError !== undefined && state !== 'starting' ? `: ${oneLine(lastError)}` : ''
}

type Move = Extract<UpEvent, { readonly event: 'server' }>

function times(restarts: number): string {
  return restarts === 0 ? '' : `restarted ${restarts === 1 ? 'once' : `${restarts} times`}`
}
