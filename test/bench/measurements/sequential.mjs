import { timeEach } from './call-loops.mjs'
import { echo } from './checked-calls.mjs'
import { percentile } from './percentile.mjs'

/** One small call after the other. */
export async function measure({ load, server, warmMs, warmCalls, measureMs }) {
  const { connect } = await load()
  const connection = await connect(server)
  const call = () => echo(connection)
  await timeEach(warmMs, call, warmCalls)
  const took = await timeEach(measureMs, call)
  await connection.close()
  return {
    p50Us: percentile(took, 0.5) * 1000,
    p99Us: percentile(took, 0.99) * 1000,
  }
}
