import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { offersObjectsOnly } from '../dispatch/legacy-shape.ts'
import type { Served } from '../dispatch/served.ts'
import type { Shelf } from '../registration/shelf.ts'
import type { Method, MethodResult } from './method.ts'

export const listTools: Method = (server, params, { era }) =>
  page(server, 'tools', server.offer.tools, params, ({ listed }) =>
    era === 'legacy' ? offersObjectsOnly(listed) : listed,
  )

export const listResources: Method = (server, params) =>
  page(server, 'resources', server.offer.resources, params, ({ listed }) => listed)

export const listTemplates: Method = (server, params) =>
  page(server, 'resourceTemplates', server.offer.templates, params, ({ listed }) => listed)

export const listPrompts: Method = (server, params) =>
  page(server, 'prompts', server.offer.prompts, params, ({ listed }) => listed)

function page<Item>(
  { cache, pageSize }: Served,
  member: string,
  shelf: Shelf<Item>,
  { cursor }: JsonObject,
  show: (item: Item) => object,
): MethodResult {
  const after = cursor === undefined ? undefined : readCursor(member, cursor)
  const rest = after === undefined ? shelf.entries : shelf.entries.filter(({ key }) => key > after)
  const shown = rest.slice(0, pageSize)
  const last = shown.at(-1)
  const nextCursor = last && rest.length > shown.length ? writeCursor(member, last.key) : undefined
  return {
    result: { [member]: shown.map(({ item }) => show(item)), ...(nextCursor && { nextCursor }) },
    cache,
  }
}

/** Where a page ended, so that a list that changes in between neither repeats nor skips what stayed. */
function writeCursor(member: string, key: string): string {
  return Buffer.from(`${member}\n${key}`).toString('base64url')
}

function readCursor(member: string, cursor: unknown): string {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : ''
  if (text.startsWith(`${member}\n`)) return text.slice(member.length + 1)
  throw new ProtocolError({
    code: ErrorCode.InvalidParams,
    message: `The cursor is none of ${member}: list again from the start`,
  })
}
