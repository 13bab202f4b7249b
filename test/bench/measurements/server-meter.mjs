import { readdirSync, readFileSync } from 'node:fs'

/** Starts counting the processor time of another process. The function it returns gives it in ms, and resident memory; null off Linux. */
export function startServerMeter(pid) {
  if (process.platform !== 'linux') return () => ({ cpuMs: null, rssMb: null })
  const before = cpuMsOf(pid)
  return () => ({ cpuMs: cpuMsOf(pid) - before, rssMb: rssMbOf(pid) })
}

/** Of all its threads; the first figure of a schedstat is nanoseconds on a core. */
function cpuMsOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const figures = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'))
  return figures.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
}

function rssMbOf(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kilobytes) / 1024
}
