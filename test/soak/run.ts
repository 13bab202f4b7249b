/** `npm run soak`: twenty real servers, killed at random under mixed calls. Every call must be answered once, and nothing may grow. */
import { assemble } from './cast.ts'
import { Chance } from './chance.ts'
import { growthBeyondBounds, measure } from './measure.ts'
import { parseOptions } from './options.ts'
import { newScore, play } from './play.ts'

const { seconds, seed } = parseOptions(process.argv.slice(2))
const say = (text: string) => process.stderr.write(`${text}\n`)
const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)
const listed = (counts: Map<string, number>) =>
  [...counts].map(([what, count]) => `${count} ${what}`).join(', ') || 'none'

say(`soak: ${seconds} s, seed ${seed}`)
const cast = await assemble()
const chance = new Chance(seed)
const score = newScore()
const ticker = setInterval(() => {
  const sofar = `${total(score.results)} calls, ${total(score.kills)} kills, ${score.faults.length} faults`
  say(`${Math.round(process.uptime())} s: ${sofar}`)
}, 5_000)
try {
  const tools = await cast.registry.toolsForLlm()
  say(`${cast.registry.providers.length} servers up with ${tools.length} tools`)
  await play(cast, chance, score, seconds * 250)
  const before = await measure(cast)
  say(`warm: ${JSON.stringify(before)}; ${total(score.results)} calls`)
  await play(cast, chance, score, seconds * 750)
  const after = await measure(cast)
  say(`end:  ${JSON.stringify(after)}`)
  score.faults.push(...growthBeyondBounds(before, after), ...twice(cast.journal()))
  if (after.processes !== 20) score.faults.push(`${after.processes} processes run for 20 servers`)
} finally {
  clearInterval(ticker)
  await cast.leave()
}
const left = cast.pids()
if (left.length > 0) score.faults.push(`${left.length} processes outlived the registry`)

say(`results: ${listed(score.results)}`)
say(`kills: ${listed(score.kills)}`)
for (const fault of score.faults.slice(0, 20)) say(`FAULT: ${fault}`)
const verdict = score.faults.length === 0 ? 'ok' : `${score.faults.length} faults`
process.exitCode = score.faults.length === 0 ? 0 : 1
process.stdout.write(
  `soak ${verdict}: ${total(score.results)} calls answered once each, ${total(score.kills)} kills, seed ${seed}\n`,
)

/** Calls that ran more than once: each noted a text of its own. */
function twice(journal: readonly string[]): readonly string[] {
  const notes = journal.filter((line) => line.startsWith('call-'))
  const seen = new Set<string>()
  return notes.filter((note) => seen.size === seen.add(note).size).map((note) => `${note} ran twice`)
}
