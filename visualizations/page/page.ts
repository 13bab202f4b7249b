import type { InspectorFrame, LogEntry } from '../../src/inspector/frames.ts'
import { byId, set } from './dom.ts'
import { type LogFilter, LogView } from './log.ts'
import { emptyModel, type ServerRow, serversOf, withFrame } from './model.ts'
import { ServerList } from './server-list.ts'
import { Stage } from './stage.ts'
import { showTimeline } from './timeline.ts'

let model = emptyModel
/** What is looked at while the page is paused; the model goes on. */
let shown = emptyModel
let isPaused = false
let chosen: string | undefined
let filterText = ''
let logFilter: LogFilter = { server: undefined, kinds: new Set(['message', 'event', 'state']), search: '' }
let isDue = false
/** What the timeline shows. */
let drawn = { second: 0, phases: emptyModel.phases, names: '', width: innerWidth }

const pause = byId('pause', HTMLButtonElement)
const filter = byId('filter', HTMLInputElement)
const search = byId('search', HTMLInputElement)
const kindBoxes = [...document.querySelectorAll<HTMLInputElement>('[data-shows]')]
const serverList = new ServerList(choose)
const stage = new Stage(choose)
const log = new LogView()

listen()
pause.addEventListener('click', togglePause)
filter.addEventListener('input', () => {
  filterText = filter.value.trim().toLowerCase()
  draw()
})
search.addEventListener('input', refilter)
for (const box of kindBoxes) box.addEventListener('change', refilter)
document.addEventListener('keydown', onKey)
addEventListener('resize', () => draw())
// Bars grow to the right although nothing happens.
setInterval(() => draw(), 1_000)

function listen(): void {
  const source = new EventSource('events')
  const say = (link: string, text: string) => {
    const status = byId('link')
    set(status, { 'data-link': link })
    status.textContent = text
  }
  source.addEventListener('open', () => say('open', 'live'))
  source.addEventListener('error', () => say('lost', 'the inspector is gone'))
  source.addEventListener('message', ({ data }) => {
    const frame: InspectorFrame = JSON.parse(data)
    if (frame.kind === 'picture') log.clear()
    model = withFrame(model, frame)
    draw()
  })
}

/** At most once a frame of the screen, whatever happens. */
function draw(): void {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    if (!isPaused) shown = model
    const servers = serversOf(shown)
    const filtered = servers.filter(passes)
    if (chosen !== undefined && !servers.some(({ name }) => name === chosen)) choose(undefined)
    serverList.show(filtered, chosen)
    stage.show(shown, filtered, chosen)
    const second = Math.floor(Date.now() / 1_000)
    const names = filtered.map(({ name }) => name)
    // Bars are many and grow slowly.
    const isStale = second !== drawn.second || shown.phases !== drawn.phases || names.join() !== drawn.names
    const isResized = innerWidth !== drawn.width
    if (isResized || (isStale && !isPaused)) {
      const nowMs = isPaused ? drawn.second * 1_000 : Date.now()
      drawn = {
        second: Math.floor(nowMs / 1_000),
        phases: shown.phases,
        names: names.join(),
        width: innerWidth,
      }
      showTimeline(shown.phases, names, nowMs)
    }
    log.show(shown.log, logFilter)
    const missed = shown.missed > 0 ? `, ${shown.missed} frames missed` : ''
    const up = servers.filter(({ phase }) => phase === 'up' || phase === 'inputRequired').length
    const all = servers.filter(({ phase }) => phase !== undefined).length
    byId('totals').textContent = `${up} of ${all} up${missed}`
  })
}

function passes({ name }: ServerRow): boolean {
  return name.toLowerCase().includes(filterText)
}

function choose(server: string | undefined): void {
  chosen = server
  refilter()
}

function refilter(): void {
  const kinds = kindBoxes.filter(({ checked }) => checked).map(({ dataset }) => dataset.shows)
  logFilter = {
    server: chosen,
    kinds: new Set(kinds.filter((kind): kind is LogEntry['kind'] => kind !== undefined)),
    search: search.value.trim().toLowerCase(),
  }
  draw()
}

function togglePause(): void {
  isPaused = !isPaused
  set(pause, { 'aria-pressed': String(isPaused) })
  pause.textContent = isPaused ? 'Resume' : 'Pause'
  draw()
}

/** `/` filters, `p` pauses, `j` and `k` go through the servers, Escape leaves. */
function onKey(event: KeyboardEvent): void {
  const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'search'
  if (event.key === 'Escape') {
    if (isTyping) (event.target as HTMLElement).blur()
    else choose(undefined)
  } else if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  else if (event.key === '/') {
    event.preventDefault()
    filter.focus()
  } else if (event.key === 'p') togglePause()
  else if (event.key === 'j') step(1)
  else if (event.key === 'k') step(-1)
}

function step(by: 1 | -1): void {
  const names = [
    undefined,
    ...serversOf(shown)
      .filter(passes)
      .map(({ name }) => name),
  ]
  const index = names.indexOf(chosen) + by
  choose(names[Math.max(0, Math.min(names.length - 1, index))])
}
