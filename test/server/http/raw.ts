import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { modern } from './harness.ts'

/** A connection on which anything can be said; `text` is what came back when the server closed it. */
export class RawConnection {
  readonly socket: Socket
  readonly text: Promise<string>

  constructor(port: number) {
    let text = ''
    this.socket = connect(port, '127.0.0.1')
    this.socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    this.text = new Promise((resolve) => {
      // A server that refuses closes while more is on its way.
      this.socket.on('error', () => {}).on('close', () => resolve(text))
    })
    onTestFinished(() => void this.socket.destroy())
  }

  write(bytes: string | Uint8Array): this {
    this.socket.write(bytes)
    return this
  }

  /** Says no more, and hears the rest. */
  end(bytes: string | Uint8Array): Promise<string> {
    this.socket.end(bytes)
    return this.text
  }
}

/** The statuses of all answers in a text. */
export function statusesOf(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
}

const { headers, body } = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } })
const greeting = JSON.stringify(body)
const usual = Object.entries({
  host: 'localhost',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...headers,
})

export interface RawRequest {
  readonly line?: string
  /** Besides the usual ones; undefined: the length of the body. */
  readonly more?: string
  readonly body?: string
  readonly leaveOut?: string
}

/** A call of `greet` as bytes, with what is wrong with it. */
export function rawGreet({
  line = 'POST /mcp HTTP/1.1',
  more,
  body = greeting,
  leaveOut,
}: RawRequest = {}): string {
  const lines = usual.filter(([name]) => name !== leaveOut).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line}\r\n${lines.join('')}${more ?? `content-length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`
}

export const greetingLength = `content-length: ${greeting.length}\r\n`
export const greetingChunk = `${greeting.length.toString(16)}\r\n${greeting}\r\n`
