import type { Io, Sink } from '../io.ts'

/** Colours, or nothing at all. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

/** Colours for a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal knows none. */
export function styleFor(sink: Sink, env: Io['env']): Style {
  const isColourful = sink.isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  const paint = isColourful ? sgr : () => plain
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}

/** Word by word, so that a line may be broken anywhere between them. */
function sgr(on: number, off: number): (text: string) => string {
  return (text) => text.replaceAll(/[^ \n]+/g, (word) => `\u001b[${on}m${word}\u001b[${off}m`)
}

function plain(text: string): string {
  return text
}
