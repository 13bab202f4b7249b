import { setTimeout as wait } from 'node:timers/promises'
import { echo } from './checked-calls.mjs'

const settleMs = 100

/** Resident memory of the client's process with connections open, each of which answered a call. */
export async function measure({ load, server, connections: count }) {
  const { connect } = await load()
  const connections = []
  while (connections.length < count) {
    const four = Array.from({ length: Math.min(4, count - connections.length) }, () => connect(server))
    connections.push(...(await Promise.all(four)))
  }
  for (const connection of connections) await echo(connection)
  globalThis.gc()
  await wait(settleMs)
  globalThis.gc()
  const rssMb = process.memoryUsage.rss() / 2 ** 20
  await Promise.all(connections.map((connection) => connection.close()))
  return { rssMb }
}
