import { isRequestId, type RequestId } from '../../protocol/json-rpc.ts'

/**
 * The id of the call that a discarded line answers, from the line's first and last bytes. Undefined when neither names
 * one, and when the line is a request of the server's own: its ids are not ours.
 */
export function oversizeId(head: Buffer, tail: Buffer): RequestId | undefined {
  const { id, isCall } = readEdges(head, tail)
  return isCall ? undefined : id
}

/** The same of a request, on the side that has to answer it. */
export function oversizeCallId(head: Buffer, tail: Buffer): RequestId | undefined {
  const { id, isCall } = readEdges(head, tail)
  return isCall ? id : undefined
}

function readEdges(
  head: Buffer,
  tail: Buffer,
): { readonly id: RequestId | undefined; readonly isCall: boolean } {
  const first = firstMembers(head.toString())
  const last = lastMembers(tail.toString())
  const isCall = ['method', 'params'].some((key) => first.has(key) || last.has(key))
  const id = first.get('id') ?? last.get('id')
  return { id: isRequestId(id) ? id : undefined, isCall }
}

/** The flat members at the start of an object's text, and the name of the first that is nested or cut off. */
function firstMembers(text: string): Map<string, unknown> {
  const members = new Map<string, unknown>()
  let rest = text.replace(/^\uFEFF?\s*\{/, '')
  if (rest === text) return members
  for (let match = firstMember.exec(rest); match; match = firstMember.exec(rest)) {
    const [whole, key = '', value] = match
    members.set(String(parse(key)), value === undefined ? undefined : parse(value))
    if (value === undefined) break
    rest = rest.slice(whole.length)
  }
  return members
}

/** The flat members just before the brace that ends the text: what stands there is at the top level. */
function lastMembers(text: string): Map<string, unknown> {
  const members = new Map<string, unknown>()
  let rest = text.replace(/\}\s*$/, '')
  if (rest === text) return members
  for (let match = lastMember.exec(rest); match; match = lastMember.exec(rest)) {
    const [whole, key = '', value = ''] = match
    members.set(String(parse(key)), parse(value))
    rest = rest.slice(0, -whole.length)
  }
  return members
}

const string = String.raw`"(?:[^"\\]|\\.)*"`
const flat = String.raw`${string}|-?\d+|true|false|null`
const firstMember = new RegExp(String.raw`^\s*(${string})\s*:\s*(?:(${flat})\s*[,}])?`)
const lastMember = new RegExp(String.raw`,\s*(${string})\s*:\s*(${flat})\s*$`)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
