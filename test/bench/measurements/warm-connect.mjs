import { timeEach } from './call-loops.mjs'
import { percentile } from './percentile.mjs'

/** Connects one after the other, everything loaded and connected once before; closing is not counted. */
export async function measure({ load, server, eraKnown, measureMs }) {
  const { connect } = await load()
  const connectOnce = async () => {
    const before = performance.now()
    const connection = await connect(server, { eraKnown })
    const took = performance.now() - before
    await connection.close()
    return took
  }
  await connectOnce()
  await connectOnce()
  const samples = []
  await timeEach(measureMs, async () => samples.push(await connectOnce()), 5)
  return { connectMs: percentile(samples, 0.5) }
}
