import type { PhaseChange } from '../../src/inspector/frames.ts'
import { byId, drawn, element } from './dom.ts'
import { ago, clockTime, phaseWords } from './words.ts'

const labelWidth = 150
const rowHeight = 16
const shortestMs = 60_000
const longestMs = 15 * 60_000

/** When each server was in which phase, up to now; a mark where it was started again. */
export function showTimeline(
  phases: ReadonlyMap<string, readonly PhaseChange[]>,
  servers: readonly string[],
  nowMs: number,
): void {
  const section = byId('timeline')
  const shown = servers.filter((server) => phases.get(server)?.length)
  const width = Math.max(320, section.clientWidth - 24)
  const beginMs = Math.min(...shown.map((server) => phases.get(server)?.[0]?.atMs ?? nowMs), nowMs)
  const spanMs = Math.min(longestMs, Math.max(shortestMs, nowMs - beginMs))
  const fromMs = nowMs - spanMs
  const at = (ms: number) => labelWidth + ((ms - fromMs) / spanMs) * (width - labelWidth - 4)
  const height = shown.length * rowHeight + 18
  const svg = drawn(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      class: 'bars',
      role: 'img',
      'aria-label': 'Timeline of restarts',
    },
    ...ticks(spanMs).map((agoMs) => drawTick(agoMs, at(nowMs - agoMs), height)),
    ...shown.map((server, row) => drawRow(server, phases.get(server) ?? [], row, at, { fromMs, nowMs })),
  )
  section.replaceChildren(element('h2', {}, 'Timeline'), svg)
}

interface Span {
  readonly fromMs: number
  readonly nowMs: number
}

function drawRow(
  server: string,
  changes: readonly PhaseChange[],
  row: number,
  at: (ms: number) => number,
  { fromMs, nowMs }: Span,
): SVGElement {
  const y = row * rowHeight
  const bars = changes.flatMap((change, index) => {
    const endMs = changes[index + 1]?.atMs ?? nowMs
    if (endMs < fromMs) return []
    const x = at(Math.max(change.atMs, fromMs))
    const title = `${server}: ${phaseWords[change.phase]} from ${clockTime(change.atMs)}, generation ${change.generation}`
    const width = Math.max(1.5, at(endMs) - x)
    return [
      drawn(
        'rect',
        { x, y: y + 2, width, height: rowHeight - 5, rx: 2, 'data-phase': change.phase },
        drawn('title', {}, title),
      ),
    ]
  })
  const restarts = changes
    .filter(({ phase, generation, atMs }) => phase === 'starting' && generation > 1 && atMs >= fromMs)
    .map(({ atMs }) =>
      drawn('line', { class: 'restart', x1: at(atMs), x2: at(atMs), y1: y, y2: y + rowHeight - 1 }),
    )
  const label = server.length > 24 ? `${server.slice(0, 23)}…` : server
  return drawn('g', {}, drawn('text', { x: 0, y: y + rowHeight - 5 }, label), ...bars, ...restarts)
}

function drawTick(agoMs: number, x: number, height: number): SVGElement {
  return drawn(
    'g',
    { class: 'tick' },
    drawn('line', { x1: x, x2: x, y1: 0, y2: height - 14 }),
    drawn(
      'text',
      { x, y: height - 3, 'text-anchor': agoMs === 0 ? 'end' : 'middle' },
      agoMs === 0 ? 'now' : `−${ago(agoMs)}`,
    ),
  )
}

function ticks(spanMs: number): number[] {
  return [0, 0.25, 0.5, 0.75].map((part) => Math.round((spanMs * part) / 1_000) * 1_000)
}
