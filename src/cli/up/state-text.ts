import type { ChildState } from '../../bridge/provider.ts'
import type { Style } from '../text/style.ts'

/** A state in words. */
export function stateText(state: ChildState): string {
  return texts[state]
}

/** Gives words the colour of how well it goes. */
export function paint(state: ChildState, words: string, style: Style): string {
  return paints[state](words, style)
}

const texts: { readonly [state in ChildState]: string } = {
  stopped: 'stopped',
  starting: 'starting',
  up: 'up',
  backingOff: 'restarts soon',
  exhausted: 'given up',
  stopping: 'stopping',
}

const paints: { readonly [state in ChildState]: (words: string, style: Style) => string } = {
  stopped: (words, style) => style.dim(words),
  starting: (words, style) => style.cyan(words),
  up: (words, style) => style.green(words),
  backingOff: (words, style) => style.yellow(words),
  exhausted: (words, style) => style.red(words),
  stopping: (words, style) => style.dim(words),
}
