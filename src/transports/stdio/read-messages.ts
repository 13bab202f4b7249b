import { InvalidResultError } from '../../errors.ts'
import { parseMessage } from '../../protocol/parse-message.ts'
import type { TransportEvents } from '../transport.ts'
import { oversizeId } from './oversize-id.ts'
import { LineSplitter } from './split-lines.ts'

type MessageEvents = Pick<TransportEvents, 'message' | 'noise' | 'oversize' | 'failed'>

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
  const parsed = parseMessage(text)
  if (parsed.kind === 'message') events.message(parsed.message, text)
  else if (parsed.kind === 'refused') refuse(text, parsed.reason, events)
  else if (text.trim() !== '') events.noise(sample(text))
}

/** Like a line that is too long: the call it answers fails, if its first or last bytes tell which. */
function refuse(text: string, reason: string, events: MessageEvents): void {
  const id = oversizeId(Buffer.from(text.slice(0, edgeChars)), Buffer.from(text.slice(-edgeChars)))
  if (id === undefined) events.noise(`a message was not read, because ${reason}`)
  else events.failed?.(id, new InvalidResultError({ method: `request ${id}`, reason }), false)
}

/** Without a trailing CR (a server on Windows) and without a BOM, which some runtimes put before their first output. */
function withoutMarks(line: string): string {
  const start = line.charCodeAt(0) === byteOrderMark ? 1 : 0
  const end = line.charCodeAt(line.length - 1) === carriageReturn ? line.length - 1 : line.length
  return line.slice(start, end)
}

/** Copied: a slice would keep the whole line, maybe megabytes, alive for as long as the sample is. */
function sample(text: string): string {
  return text.length <= sampleLength ? text : Buffer.from(text.slice(0, sampleLength)).toString()
}

const sampleLength = 200
const edgeChars = 1024
const byteOrderMark = 0xfeff
const carriageReturn = 0x0d
