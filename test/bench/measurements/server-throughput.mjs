import { startServerMeter } from './server-meter.mjs'

/** A server in a process of its own, a fixed number of small calls always in flight. */
export async function measure({ program, wire, era, inFlight, warmMs, warmCalls, measureMs }) {
  const { openLoad } = await import(`../loads/${wire}.mjs`)
  const load = await openLoad(program, { era, inFlight })
  await load.keepUp(warmMs, warmCalls)
  const readMeter = startServerMeter(load.pid)
  const before = performance.now()
  const answered = await load.keepUp(measureMs)
  const elapsedMs = performance.now() - before
  const { cpuMs, rssMb } = readMeter()
  await load.close()
  return {
    requestsPerSecond: (answered / elapsedMs) * 1000,
    cpuMsPer10k: cpuMs === null ? null : (cpuMs / answered) * 10_000,
    rssMb,
  }
}
