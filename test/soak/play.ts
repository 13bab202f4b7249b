import { setTimeout as after } from 'node:timers/promises'
import { connectionPool } from '../../workers/pool.ts'
import type { Cast } from './cast.ts'
import type { Chance } from './chance.ts'
import { anyLine, judge } from './lines.ts'

/** What came of it so far. */
export interface Score {
  readonly results: Map<string, number>
  readonly kills: Map<string, number>
  /** At most a hundred. */
  readonly faults: string[]
}

export function newScore(): Score {
  return { results: new Map(), kills: new Map(), faults: [] }
}

const players = 16

/** Calls of all kinds while servers die; ends when every call was answered and every server is up again. */
export async function play(cast: Cast, chance: Chance, score: Score, ms: number): Promise<void> {
  const untilMs = performance.now() + ms
  const isOver = () => performance.now() >= untilMs
  await Promise.all([
    ...Array.from({ length: players }, () => callUntil(isOver, cast, chance, score)),
    killUntil(isOver, cast, chance, score),
  ])
  if (!(await allUp(cast))) score.faults.push(`not up: ${JSON.stringify(states(cast))}`)
}

async function callUntil(isOver: () => boolean, cast: Cast, chance: Chance, score: Score): Promise<void> {
  while (!isOver()) {
    const lines = Array.from({ length: chance.between(1, 5) }, () => anyLine(cast, chance))
    const abort = new AbortController()
    const isImpatient = chance.next() < 0.02
    const results = cast.registry.executeToolCalls(
      lines.map(({ call }) => call),
      { signal: abort.signal, onProgress: () => isImpatient && abort.abort() },
    )
    if (isImpatient) setImmediate(() => abort.abort())
    const answers = await results
    if (answers.length !== lines.length) fault(score, `${answers.length} answers to ${lines.length} calls`)
    for (const [index, line] of lines.entries()) {
      const verdict = judge(line, answers[index])
      if (verdict.startsWith('wrong')) fault(score, verdict)
      count(score.results, verdict.startsWith('wrong') ? 'wrong' : verdict)
    }
  }
}

async function killUntil(isOver: () => boolean, cast: Cast, chance: Chance, score: Score): Promise<void> {
  const { registry } = cast
  const victim = () => chance.oneOf(registry.providers)
  const signalled = (signal: NodeJS.Signals) => {
    const pid = victim().client?.processId
    if (pid !== undefined && cast.pids().includes(pid)) process.kill(pid, signal)
  }
  const ways: readonly (readonly [string, number, () => unknown])[] = [
    ['SIGKILL', 0.7, () => signalled('SIGKILL')],
    ['SIGTERM', 0.85, () => signalled('SIGTERM')],
    ['restart by hand', 0.95, () => registry.restart(victim().prefix)],
    ['thread', 1, () => chance.oneOf(connectionPool().threads).terminate()],
  ]
  while (!isOver()) {
    await after(chance.between(100, 500))
    // A slow machine could do nothing but start servers.
    const upNow = registry.providers.filter(({ state }) => state === 'up').length
    if (upNow < registry.providers.length * 0.75) continue
    const draw = chance.next()
    const [name, , kill] = ways.find(([, upTo]) => draw < upTo) ?? (ways[0] as (typeof ways)[number])
    await kill()
    count(score.kills, name)
  }
}

/** Within a minute, or never. */
async function allUp(cast: Cast): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    if (cast.registry.providers.every(({ state }) => state === 'up')) return true
    await after(100)
  }
  return false
}

function states({ registry }: Cast): readonly unknown[] {
  return registry.providers
    .filter(({ state }) => state !== 'up')
    .map(({ prefix, state, generation, lastFailure }) => [prefix, state, generation, lastFailure?.message])
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

function fault({ faults }: Score, what: string): void {
  if (faults.length < 100) faults.push(what)
}
