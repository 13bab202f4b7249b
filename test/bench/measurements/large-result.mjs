import { timeEach } from './call-loops.mjs'
import { bigText, records, recordsUnread } from './checked-calls.mjs'
import { startCpuMeter } from './cpu-meter.mjs'
import { percentile } from './percentile.mjs'

const calls = { bigText, records, recordsUnread }

/** Large results one after the other; `kind` names one of the checked calls. */
export async function measure({ load, server, kind, bytes, warmMs, measureMs }) {
  const { connect } = await load()
  const connection = await connect(server)
  const call = () => calls[kind](connection, bytes)
  await timeEach(warmMs, call, 2)
  const readCpu = startCpuMeter()
  const took = await timeEach(measureMs, call, 5)
  const { mainCpuMs, allCpuMs } = readCpu()
  await connection.close()
  return {
    wallMs: percentile(took, 0.5),
    mainCpuMs: mainCpuMs === null ? null : mainCpuMs / took.length,
    allCpuMs: allCpuMs / took.length,
  }
}
