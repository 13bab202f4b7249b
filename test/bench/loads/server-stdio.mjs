// A client that costs next to nothing: messages are put together from text, answers are looked at and not parsed, and what is asked
// in reaction to one chunk leaves in one write.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { keepingUp } from './keep-up.mjs'
import { isRight, legacy, modern } from './messages.mjs'

export async function openLoad(program, { era, inFlight }) {
  const { opening, call } = era === 'modern' ? modern : legacy
  const server = spawn(process.execPath, [...process.execArgv, program], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const closed = once(server, 'close')
  const tail = `,"method":"${call.method}","params":${JSON.stringify(call.params)}}\n`
  let nextId = 1
  const ask = (count) => {
    let text = ''
    for (let more = count; more > 0; more -= 1) text += `{"jsonrpc":"2.0","id":${nextId++}${tail}`
    server.stdin.write(text)
  }
  const { keepUp, heard } = keepingUp(inFlight, ask)
  server.stdout.setEncoding('latin1')
  for (const message of opening) server.stdin.write(`${JSON.stringify(message)}\n`)
  const [first] = await once(server.stdout, 'data')
  if (!first.includes('"result"')) throw new Error(`the server answered ${first}`)
  let rest = ''
  server.stdout.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) if (!isRight(line)) throw new Error(`the server answered ${line}`)
    heard(lines.length)
  })
  const close = () => {
    server.stdin.end()
    return closed
  }
  return { pid: server.pid, keepUp, close }
}
