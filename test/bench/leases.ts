import { performance } from 'node:perf_hooks'
import { contend } from '../providers/leases/contention.ts'

// `npm run bench:leases` prints how agents fare that all want the same few paths, in simulated time.
const options = { agents: 1_000, paths: 50, rounds: 3 }
const beganMs = performance.now()
const { turns, longestQueue, simulatedMs } = await contend(options)
const realMs = performance.now() - beganMs
const waited = turns.map(({ waitedMs }) => waitedMs).sort((a, b) => a - b)

const below = (share: number) => waited[Math.min(waited.length - 1, Math.floor(waited.length * share))] ?? 0

console.table({
  'agents × paths × rounds': `${options.agents} × ${options.paths} × ${options.rounds}`,
  'turns served': turns.length,
  'simulated s': (simulatedMs / 1_000).toFixed(1),
  'wait, median s': (below(0.5) / 1_000).toFixed(1),
  'wait, 95 % s': (below(0.95) / 1_000).toFixed(1),
  'wait, longest s': (below(1) / 1_000).toFixed(1),
  'longest queue': longestQueue,
  'real s': (realMs / 1_000).toFixed(1),
})
