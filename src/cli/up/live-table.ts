import type { Sink } from '../io.ts'
import { cut } from '../text/cut.ts'
import { oneLine } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { visibleWidth } from '../text/wrap.ts'
import type { ServerRow, View } from './event.ts'
import { eventLine } from './plain-lines.ts'
import { paint, stateText } from './state-text.ts'

/** A table at the bottom of a terminal, drawn anew with every event; what is no change of a server scrolls by above it. */
export function liveTable(sink: Sink, style: Style): View {
  let drawn = 0
  return {
    show: (event, rows) => {
      const said = event.event === 'server' ? '' : `${eventLine(event, style)}\n`
      const table = event.event === 'stopped' ? [] : tableLines(rows, sink, style)
      const back = drawn === 0 ? '' : `\r\u001b[${drawn}A\u001b[J`
      // All at once: what is written in parts flickers.
      sink.write(back + said + table.map((line) => `${line}\n`).join(''))
      drawn = table.length
    },
  }
}

/** No line is longer than the terminal is wide, and there are fewer than it is high: else they could not be overwritten. */
function tableLines(
  rows: readonly ServerRow[],
  { columns = 80, rows: height = Number.POSITIVE_INFINITY }: Pick<Sink, 'columns' | 'rows'>,
  style: Style,
): readonly string[] {
  const shown = rows.slice(0, Math.max(1, height - 3))
  const table = shown.map(cellsOf)
  const widths = heads.map((head, column) =>
    Math.max(visibleWidth(head), ...table.map((cells) => visibleWidth(cells[column] ?? ''))),
  )
  const left = rows.length - shown.length
  return [
    style.dim(cut(inColumns(heads, widths), columns - 1)),
    ...table.map((cells, index) =>
      paint(shown[index]?.state ?? 'stopped', cut(inColumns(cells, widths), columns - 1), style),
    ),
    ...(left > 0 ? [style.dim(`… ${left} more`)] : []),
  ]
}

function cellsOf(row: ServerRow): readonly string[] {
  const { server, state, era = '', restarts, calls, lastError = '' } = row
  return [cut(oneLine(server), 24), era, stateText(state), `${restarts}`, `${calls}`, oneLine(lastError)]
}

function inColumns(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - visibleWidth(cell)))
  return padded.join('  ').trimEnd()
}

const heads = ['SERVER', 'ERA', 'STATE', 'RESTARTS', 'CALLS', 'LAST ERROR']
