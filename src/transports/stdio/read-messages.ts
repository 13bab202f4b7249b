import { isObject } from '../../protocol/json-rpc.ts'
import type { TransportEvents } from '../transport.ts'
import { oversizeId } from './oversize-id.ts'
import { LineSplitter } from './split-lines.ts'

type MessageEvents = Pick<TransportEvents, 'message' | 'noise' | 'oversize'>

/** Turns the bytes of a server's stdout into messages, noise and oversize reports, in their order. */
export function readMessages(events: MessageEvents, maxMessageBytes: number): LineSplitter {
  return new LineSplitter({
    maxBytes: maxMessageBytes,
    onLine: (text) => readLine(text, events),
    onOversize: (head, tail) => events.oversize(oversizeId(head, tail), maxMessageBytes),
  })
}

function readLine(line: string, events: MessageEvents): void {
  const text = withoutMarks(line)
  const message = parse(text)
  if (isObject(message) || Array.isArray(message)) events.message(message, text)
  else if (text.trim() !== '') events.noise(sample(text))
}

/** Without a trailing CR (a server on Windows) and without a BOM, which some runtimes put before their first output. */
function withoutMarks(line: string): string {
  const start = line.charCodeAt(0) === byteOrderMark ? 1 : 0
  const end = line.charCodeAt(line.length - 1) === carriageReturn ? line.length - 1 : line.length
  return line.slice(start, end)
}

function parse(text: string): unknown {
  // A look first: a SyntaxError costs more than a hundred of these, and noise may come in floods.
  if (!opening.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Copied: a slice would keep the whole line, maybe megabytes, alive for as long as the sample is. */
function sample(text: string): string {
  return text.length <= sampleLength ? text : Buffer.from(text.slice(0, sampleLength)).toString()
}

const sampleLength = 200
const opening = /^\s*[{[]/
const byteOrderMark = 0xfeff
const carriageReturn = 0x0d
