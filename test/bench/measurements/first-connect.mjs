/** From just before the import to the connected state, in a process that did neither before. */
export async function measure({ load, server, eraKnown }) {
  const before = performance.now()
  const { connect } = await load()
  const connection = await connect(server, { eraKnown })
  const connectMs = performance.now() - before
  await connection.close()
  return { connectMs }
}
