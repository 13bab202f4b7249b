import { monitorEventLoopDelay } from 'node:perf_hooks'
import { keepInFlight } from './call-loops.mjs'
import { bigText } from './checked-calls.mjs'
import { startCpuMeter } from './cpu-meter.mjs'

const timerNs = 1e6

/**
 * How late the host's event loop is while many servers return large text without pause. A native timer of 1 ms in that
 * loop records the time between its firings; what exceeds 1 ms is the delay. A stall is one sample however long it was,
 * so the share of time spent stalled is given beside the percentiles, and the results a second beside both.
 */
export async function measure({ load, server, servers, bytes, warmMs, delayMs }) {
  const { connect } = await load()
  const connections = await Promise.all(Array.from({ length: servers }, () => connect(server)))
  const loadAll = async (forMs) => {
    const counts = connections.map((connection) => keepInFlight(1, forMs, () => bigText(connection, bytes)))
    return (await Promise.all(counts)).reduce((sum, count) => sum + count)
  }
  await loadAll(warmMs)
  const delays = monitorEventLoopDelay({ resolution: 1 })
  const readCpu = startCpuMeter()
  const before = performance.now()
  delays.enable()
  const answered = await loadAll(delayMs)
  delays.disable()
  const elapsedMs = performance.now() - before
  const { mainCpuMs } = readCpu()
  await Promise.all(connections.map((connection) => connection.close()))
  return {
    p50Ms: beyondTimer(delays.percentile(50)) / 1e6,
    p99Ms: beyondTimer(delays.percentile(99)) / 1e6,
    stalledShare: beyondTimer(delays.mean) / delays.mean,
    resultsPerSecond: (answered / elapsedMs) * 1000,
    mainCpuMs: mainCpuMs === null ? null : mainCpuMs / answered,
  }
}

const beyondTimer = (ns) => Math.max(0, ns - timerNs)
