// Every answer is read the way a host reads it, so that a contender that decodes late pays within the measurement.

export async function echo(connection) {
  const result = await connection.call('echo', { text: 'hello' })
  if (result.content[0].text !== 'hello') throw new Error('the echo came back changed')
}

export async function bigText(connection, bytes) {
  const result = await connection.call('big', { bytes })
  if (result.content[0].text.length !== bytes) throw new Error(`not ${bytes} bytes of text`)
}

export async function records(connection, bytes) {
  const result = await connection.call('records', { bytes })
  if (!(result.structuredContent.rows.length > bytes / 200)) throw new Error('rows are missing')
}

export async function recordsUnread(connection, bytes) {
  await connection.call('records', { bytes })
}
