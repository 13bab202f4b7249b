import { keepInFlight } from './call-loops.mjs'
import { echo } from './checked-calls.mjs'
import { startCpuMeter } from './cpu-meter.mjs'

/** Small calls, a fixed number of them always in flight. */
export async function measure({ load, server, inFlight, warmMs, warmCalls, measureMs }) {
  const { connect } = await load()
  const connection = await connect(server)
  const call = () => echo(connection)
  await keepInFlight(inFlight, warmMs, call, warmCalls)
  const readCpu = startCpuMeter()
  const before = performance.now()
  const answered = await keepInFlight(inFlight, measureMs, call)
  const elapsedMs = performance.now() - before
  const { mainCpuMs, allCpuMs } = readCpu()
  await connection.close()
  return {
    callsPerSecond: (answered / elapsedMs) * 1000,
    mainCpuMsPer10k: mainCpuMs === null ? null : (mainCpuMs / answered) * 10_000,
    allCpuMsPer10k: (allCpuMs / answered) * 10_000,
  }
}
