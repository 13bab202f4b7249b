// A client without any library: what the pipe, the JSON and the process themselves cost.

import { spawn } from 'node:child_process'

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export async function connect({ command, args }) {
  const wire = openWire(command, args)
  await wire.request('server/discover', { _meta: meta })
  return {
    call: (name, args) => wire.request('tools/call', { name, arguments: args, _meta: meta }),
    close: wire.close,
  }
}

function openWire(command, args) {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const closed = new Promise((resolve) => server.once('close', resolve))
  const pending = new Map()
  let nextId = 1
  let unfinished = []
  let outbox = ''

  server.stdout.on('data', (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      unfinished.push(chunk.subarray(start, end))
      const line = unfinished.length === 1 ? unfinished[0] : Buffer.concat(unfinished)
      unfinished = []
      start = end + 1
      settle(JSON.parse(line.toString()))
    }
    if (start < chunk.length) unfinished.push(chunk.subarray(start))
  })

  function settle({ id, result, error }) {
    const { resolve, reject } = pending.get(id)
    pending.delete(id)
    if (error) reject(new Error(error.message))
    else resolve(result)
  }

  function request(method, params) {
    const id = nextId++
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject })
      if (outbox === '') process.nextTick(flush)
      outbox += `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
    })
  }

  // Everything asked in reaction to one chunk leaves in one write.
  function flush() {
    server.stdin.write(outbox)
    outbox = ''
  }

  function close() {
    server.stdin.end()
    return closed
  }

  return { request, close }
}
