import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { MetaKey } from '../../protocol/meta.ts'
import type { Prompt } from '../../protocol/prompts.ts'
import type { Resource, ResourceTemplate } from '../../protocol/resources.ts'
import type { Tool } from '../../protocol/tools.ts'
import { modernVersions } from '../../protocol/versions.ts'
import { Cancellation } from '../../server/dispatch/cancellation.ts'
import type { McpServer } from '../../server/server.ts'

/** All that a server of this process has, as its clients are told. */
export interface Catalogue {
  readonly tools: readonly Tool[]
  readonly prompts: readonly Prompt[]
  readonly resources: readonly Resource[]
  readonly resourceTemplates: readonly ResourceTemplate[]
}

export async function catalogueOf(server: McpServer): Promise<Catalogue> {
  return {
    tools: await listed(server, 'tools/list', 'tools'),
    prompts: await listed(server, 'prompts/list', 'prompts'),
    resources: await listed(server, 'resources/list', 'resources'),
    resourceTemplates: await listed(server, 'resources/templates/list', 'resourceTemplates'),
  }
}

/** Every page; nothing where there is no such feature. */
async function listed<Item>(server: McpServer, method: string, member: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor: unknown
  do {
    const params: JsonObject = { ...(cursor !== undefined && { cursor }), _meta }
    const exchange = { cancellation: new Cancellation(), notify: () => {}, onStop: () => {} }
    const { text } = await server.dispatcher.modern({ id: 1, method, params }, exchange)
    const { result } = JSON.parse(text) as { readonly result?: unknown }
    const page = isObject(result) ? result : {}
    if (Array.isArray(page[member])) items.push(...page[member])
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return items
}

const _meta = {
  [MetaKey.protocolVersion]: modernVersions[0],
  [MetaKey.clientInfo]: { name: 'troupe', version: '1' },
  [MetaKey.clientCapabilities]: {},
}
