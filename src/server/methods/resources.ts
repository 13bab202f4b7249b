import { ProtocolError } from '../../errors.ts'
import type { ResourceContents } from '../../protocol/content.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { CacheHint } from '../../protocol/results.ts'
import type { Offer } from '../offer.ts'
import type { ResourceHandler, ResourceRequest } from '../registration/resource.ts'
import { within } from '../request/current-request.ts'
import type { Method } from './method.ts'
import { nameOf } from './params.ts'

export const readResource: Method = async ({ offer }, params, context) => {
  const uri = nameOf(params, 'uri')
  const found = find(offer, uri)
  if (!found) throw notFound(uri, context.era === 'legacy')
  const { handler, request, mimeType, cache } = found
  const answer: unknown = await within(context, () => handler(request, context))
  const result = readAnswer(answer, uri, mimeType)
  if (!result) throw new Error(`${uri} was answered with nothing that is a content`)
  return { result, cache }
}

interface Found {
  readonly handler: ResourceHandler
  readonly request: ResourceRequest
  readonly mimeType: string | undefined
  readonly cache: CacheHint
}

/** A resource of that very URI, or else the first template it fits. */
function find({ resources, templates }: Offer, uri: string): Found | undefined {
  const resource = resources.get(uri)
  if (resource) {
    const { handler, cache, listed } = resource
    return { handler, cache, mimeType: listed.mimeType, request: { uri, variables: {} } }
  }
  for (const { item } of templates.entries) {
    const variables = item.match(uri)
    const { handler, cache, listed } = item
    if (variables) return { handler, cache, mimeType: listed.mimeType, request: { uri, variables } }
  }
  return undefined
}

function readAnswer(answer: unknown, uri: string, mimeType: string | undefined): JsonObject | undefined {
  const one = (content: Pick<ResourceContents, 'text' | 'blob'>) => ({
    contents: [{ uri, ...(mimeType !== undefined && { mimeType }), ...content }],
  })
  if (typeof answer === 'string') return one({ text: answer })
  if (answer instanceof Uint8Array) return one({ blob: Buffer.from(answer).toString('base64') })
  if (Array.isArray(answer)) return { contents: answer }
  return isObject(answer) && Array.isArray(answer.contents) ? answer : undefined
}

/** Each era has its own code for it. */
function notFound(uri: string, isLegacy: boolean): ProtocolError {
  return new ProtocolError({
    code: isLegacy ? ErrorCode.ResourceNotFound : ErrorCode.InvalidParams,
    message: `There is no resource ${uri.slice(0, 500)}`,
    data: { uri },
  })
}
