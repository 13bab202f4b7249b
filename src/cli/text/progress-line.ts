import type { Progress } from '../../protocol/progress.ts'
import { cut } from './cut.ts'
import { oneLine } from './printable.ts'
import type { Style } from './style.ts'
import { visibleWidth } from './wrap.ts'

/** One progress report as a line of text that fits a terminal's. */
export function progressLine({ progress, total, message }: Progress, columns: number, style: Style): string {
  const counts = total === undefined ? `${progress}` : `${progress}/${total}`
  const bar = total === undefined || total <= 0 ? '' : `${drawBar(progress / total, style)} `
  const room = columns - 1 - visibleWidth(bar) - counts.length - 1
  const said = cut(oneLine(message ?? ''), room)
  return `${bar}${counts} ${style.dim(said)}`.trimEnd()
}

function drawBar(share: number, style: Style): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barColumns)
  return style.cyan('█'.repeat(full)) + style.dim('░'.repeat(barColumns - full))
}

const barColumns = 24
