/** What is reported: each row is one figure of one measurement under one setting. */

import type { Contender } from './contenders.ts'

export interface Row {
  readonly label: string
  readonly unit: string
  /** A module below `measurements/`, and what it is told beside the durations. */
  readonly measurement: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly figure: string
  /** The ratio to the official client to stay below, or to reach where more is better. */
  readonly target?: number
  readonly inlineTarget?: number
  readonly moreIsBetter?: boolean
  readonly leftOutOfQuick?: boolean
  /** Where nobody else has the like; default all contenders. */
  readonly contenders?: readonly Contender[]
}

const firstConnect = { measurement: 'first-connect', unit: 'ms', figure: 'connectMs' }
const warmConnect = { measurement: 'warm-connect', unit: 'ms', figure: 'connectMs' }
const sequential = { measurement: 'sequential', unit: 'us', settings: {} }
const calls = (inFlight: number) => ({ measurement: 'throughput', settings: { inFlight } })
const perSecond = { unit: '/s', figure: 'callsPerSecond', moreIsBetter: true }
const large = (kind: string, bytes: number) => ({
  measurement: 'large-result',
  unit: 'ms',
  settings: { kind, bytes },
})
const loopDelay = { measurement: 'loop-delay', unit: 'ms', settings: { servers: 16, bytes: 1e6 } }
const memory = (connections: number) => ({
  measurement: 'memory',
  unit: 'MB',
  figure: 'rssMb',
  settings: { connections },
})

const decisions = (call: string) => ({
  label: `policy, 200 rules: ${call.replaceAll('-', ' ')} calls decided`,
  measurement: 'policy-decisions',
  unit: '/s',
  figure: 'decisionsPerSecond',
  settings: { call },
  moreIsBetter: true,
  contenders: ['ours' as const],
})

const pinned = { settings: {} }
const probing = { settings: { eraKnown: false }, leftOutOfQuick: true }
const wall = { figure: 'wallMs' }
const mainCpu = { figure: 'mainCpuMs' }
const text1 = large('bigText', 1e6)
const text10 = large('bigText', 1e7)
const read = large('records', 1e6)
const unread = { ...large('recordsUnread', 1e6), leftOutOfQuick: true }
const under16 = '16 peers returning 1 MB:'

/** What is asked of HTTP, where every contender has a server to itself. */
function httpRows(name: string, wire: 'http-json' | 'http-sse'): readonly Row[] {
  const over = <Kind extends { readonly settings: object }>(kind: Kind) => ({
    ...kind,
    settings: { wire, ...kind.settings },
  })
  const sequentially = over(sequential)
  const calls64 = over(calls(64))
  const cpu = `${name}: 10k calls, 64 in flight:`
  return [
    { label: `${name}: sequential call p50`, ...sequentially, figure: 'p50Us', target: 0.6 },
    { label: `${name}: sequential call p99`, ...sequentially, figure: 'p99Us' },
    { label: `${name}: calls, 64 in flight`, ...perSecond, ...calls64, target: 5 },
    { label: `${cpu} main-thread CPU`, unit: 'ms', figure: 'mainCpuMsPer10k', ...calls64, target: 0.05 },
    { label: `${cpu} all CPU`, unit: 'ms', figure: 'allCpuMsPer10k', ...calls64 },
    { label: `${name}: 1 MB text, wall p50`, ...over(text1), ...wall, leftOutOfQuick: true },
  ]
}

/** What is asked of servers, by a load that costs little beside them. */
function serverRows(name: string, settings: Row['settings'], target: number): readonly Row[] {
  const loaded = {
    measurement: 'server-throughput',
    settings: { ...settings, inFlight: 64 },
    contenders: ['raw', 'official', 'ours'] as const,
  }
  const cpu = { unit: 'ms', figure: 'cpuMsPer10k' }
  return [
    {
      label: `server, ${name}: requests, 64 in flight`,
      ...loaded,
      unit: '/s',
      figure: 'requestsPerSecond',
      moreIsBetter: true,
      target,
    },
    { label: `server, ${name}: 10k requests, 64 in flight: its CPU`, ...loaded, ...cpu },
    { label: `server, ${name}: RSS under that load`, ...loaded, unit: 'MB', figure: 'rssMb' },
  ]
}

const rows: readonly Row[] = [
  { label: 'first connect, fresh process', ...firstConnect, ...pinned, target: 0.9 },
  { label: 'first connect, official probes too', ...firstConnect, ...probing },
  { label: 'connect, warm', ...warmConnect, ...pinned },
  { label: 'connect, warm, official probes too', ...warmConnect, ...probing },
  { label: 'sequential call p50', ...sequential, figure: 'p50Us', target: 1.1, inlineTarget: 0.75 },
  { label: 'sequential call p99', ...sequential, figure: 'p99Us' },
  { label: 'calls, 1 in flight', ...perSecond, ...calls(1), leftOutOfQuick: true },
  { label: 'calls, 16 in flight', ...perSecond, ...calls(16) },
  { label: 'calls, 64 in flight', ...perSecond, ...calls(64), target: 2 },
  { label: 'calls, 256 in flight', ...perSecond, ...calls(256), leftOutOfQuick: true },
  {
    label: '10k calls, 64 in flight: main-thread CPU',
    unit: 'ms',
    figure: 'mainCpuMsPer10k',
    ...calls(64),
    target: 0.15,
  },
  { label: '10k calls, 64 in flight: all CPU', unit: 'ms', figure: 'allCpuMsPer10k', ...calls(64) },
  { label: '1 MB text, wall p50', ...text1, ...wall },
  { label: '1 MB text, main-thread CPU', ...text1, ...mainCpu, target: 0.3 },
  { label: '1 MB text, all CPU', ...text1, figure: 'allCpuMs' },
  { label: '10 MB text, wall p50', ...text10, ...wall, target: 0.5 },
  { label: '10 MB text, main-thread CPU', ...text10, ...mainCpu },
  { label: '1 MB records read, wall p50', ...read, ...wall },
  { label: '1 MB records read, main-thread CPU', ...read, ...mainCpu },
  { label: '1 MB records unread, wall p50', ...unread, ...wall },
  { label: '1 MB records unread, main-thread CPU', ...unread, ...mainCpu },
  { label: `${under16} event-loop delay p50`, ...loopDelay, figure: 'p50Ms', target: 0.05 },
  { label: `${under16} event-loop delay p99`, ...loopDelay, figure: 'p99Ms', target: 0.4 },
  { label: `${under16} share of time stalled`, ...loopDelay, unit: '', figure: 'stalledShare' },
  { label: `${under16} results`, ...loopDelay, unit: '/s', figure: 'resultsPerSecond', moreIsBetter: true },
  { label: `${under16} main-thread CPU per result`, ...loopDelay, ...mainCpu },
  { label: 'RSS, 1 connection', ...memory(1) },
  { label: 'RSS, 10 connections', ...memory(10), leftOutOfQuick: true },
  { label: 'RSS, 50 connections', ...memory(50), leftOutOfQuick: true },
  ...['plain', 'nested-shell', 'nested-shell-unseen'].map(decisions),
  ...httpRows('HTTP, JSON', 'http-json'),
  ...httpRows('HTTP, SSE', 'http-sse').map((row) => ({ ...row, leftOutOfQuick: true })),
  ...serverRows('stdio', { wire: 'server-stdio', era: 'modern' }, 3),
  ...serverRows('stdio, legacy', { wire: 'server-stdio', era: 'legacy' }, 3).map((row) => ({
    ...row,
    leftOutOfQuick: true,
  })),
  ...serverRows('HTTP', { wire: 'server-http', era: 'modern' }, 6),
]

/** The rows whose name contains `only`; without it all, or in a quick run those that say most in little time. */
export function chosenRows({
  only,
  quick,
}: {
  readonly only: string | undefined
  readonly quick: boolean
}): readonly Row[] {
  if (only === undefined) return rows.filter((row) => !quick || !row.leftOutOfQuick)
  return rows.filter((row) => row.label.toLowerCase().includes(only.toLowerCase()))
}
