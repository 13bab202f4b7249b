// A client that costs next to nothing: a connection for each request in flight, on which the same bytes are sent again and again, and
// answers are looked at and not parsed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { keepingUp } from './keep-up.mjs'
import { isRight, modern } from './messages.mjs'

export async function openLoad(program, { inFlight }) {
  const server = spawn(process.execPath, [...process.execArgv, program], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const closed = once(server, 'close')
  const [url] = await once(createInterface(server.stdout), 'line')
  const request = requestTo(new URL(url))
  const idle = []
  const { keepUp, heard } = keepingUp(inFlight, (count) => {
    for (let more = count; more > 0; more -= 1) idle.pop().write(request)
  })
  const sockets = await Promise.all(
    Array.from({ length: inFlight }, () =>
      open(new URL(url), (socket) => {
        idle.push(socket)
        heard(1)
      }),
    ),
  )
  idle.push(...sockets)
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.stdin.end()
    return closed
  }
  return { pid: server.pid, keepUp, close }
}

/** A connection that tells when what was asked on it is answered. */
async function open({ hostname, port }, onAnswer) {
  const socket = connect({ host: hostname, port, noDelay: true })
  await once(socket, 'connect')
  let answer = ''
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text
    if (!isWhole(answer)) return
    if (!isRight(answer)) throw new Error(`the server answered ${answer}`)
    answer = ''
    onAnswer(socket)
  })
  return socket
}

function isWhole(answer) {
  const body = answer.indexOf('\r\n\r\n') + 4
  if (body === 3) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(answer) ?? []
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= body + Number(length)
}

function requestTo({ host, pathname }) {
  const { version, call } = modern
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${version}`,
    `Mcp-Method: ${call.method}`,
    `Mcp-Name: ${call.params.name}`,
    `Content-Length: ${body.length}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
