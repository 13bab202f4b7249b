import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { MetaKey } from '../../../src/protocol/meta.ts'
import type { Era } from '../../../src/protocol/versions.ts'
import { Heard } from '../../e2e/heard.ts'
import { answers, type Counterpart, type ListKind, type Note, type Wire } from './counterpart.ts'

const who = { name: 'tester', version: '1' }
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} }

/** The official client of this year: it finds the era out, or is told. */
export async function client2(wire: Wire, mode: 'auto' | 'legacy' | { pin: string }): Promise<Counterpart> {
  const client = new Client2(who, { versionNegotiation: { mode }, capabilities })
  client.setRequestHandler('elicitation/create', ({ params }) => answers.elicit(params))
  client.setRequestHandler('sampling/createMessage', () => answers.sample)
  client.setRequestHandler('roots/list', () => answers.roots)
  const shared = client as unknown as OfficialClient
  const notes = hearAll(shared)
  await client.connect(
    wire.kind === 'stdio'
      ? new Stdio2({ command: wire.command, args: wire.args, stderr: 'ignore' })
      : new Http2(new URL(wire.url), { fetch: wire.fetch }),
  )
  const era = client.getNegotiatedProtocolVersion() === '2026-07-28' ? 'modern' : 'legacy'
  const follow = async (uri: string) => {
    if (era === 'legacy') await client.subscribeResource({ uri })
    else await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
  }
  const callTool: CallTool = (params, options) => shared.callTool(params, options)
  return { ...(await face(shared, era, callTool)), notes, follow }
}

/** The official client of the years before. */
export async function client1(wire: Wire): Promise<Counterpart> {
  const client = new Client1(who, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answers.elicit(params))
  client.setRequestHandler(CreateMessageRequestSchema, () => answers.sample)
  client.setRequestHandler(ListRootsRequestSchema, () => answers.roots)
  const shared = client as unknown as OfficialClient
  const notes = hearAll(shared)
  const transport =
    wire.kind === 'stdio'
      ? new Stdio1({ command: wire.command, args: wire.args, stderr: 'ignore' })
      : new Http1(new URL(wire.url), { fetch: wire.fetch })
  // Its types want properties to be absent rather than undefined.
  await client.connect(transport as Parameters<Client1['connect']>[0])
  const follow = async (uri: string) => void (await client.subscribeResource({ uri }))
  // The schema of the result stands between the two.
  const callTool: CallTool = (params, options) => shared.callTool(params, undefined, options)
  return { ...(await face(shared, 'legacy', callTool)), notes, follow }
}

type CallTool = (params: object, options: object) => Promise<unknown>

/** What both have by the same name. */
interface OfficialClient {
  fallbackNotificationHandler?: (note: Note) => Promise<void>
  getServerVersion(): { readonly name: string } | undefined
  getInstructions(): string | undefined
  setLoggingLevel(level: string): Promise<unknown>
  listTools(params?: Page): Promise<Listed>
  listResources(params?: Page): Promise<Listed>
  listResourceTemplates(params?: Page): Promise<Listed>
  listPrompts(params?: Page): Promise<Listed>
  callTool(params: object, ...rest: readonly unknown[]): Promise<unknown>
  readResource(params: object): Promise<unknown>
  getPrompt(params: object): Promise<unknown>
  complete(params: object): Promise<unknown>
  close(): Promise<void>
}

interface Page {
  readonly cursor?: string
}

type Listed = { readonly [Kind in ListKind]?: readonly { readonly [member: string]: string }[] } & {
  readonly nextCursor?: string
}

function hearAll(client: OfficialClient): Heard<Note> {
  const notes = new Heard<Note>()
  client.fallbackNotificationHandler = async (note) => notes.hear(note)
  return notes
}

async function face(
  client: OfficialClient,
  era: Era,
  callTool: CallTool,
): Promise<Omit<Counterpart, 'notes' | 'follow'>> {
  if (era === 'legacy') await client.setLoggingLevel('info')
  const _meta = era === 'modern' ? { [MetaKey.logLevel]: 'info' } : undefined
  const lists = {
    tools: (page?: Page) => client.listTools(page),
    resources: (page?: Page) => client.listResources(page),
    resourceTemplates: (page?: Page) => client.listResourceTemplates(page),
    prompts: (page?: Page) => client.listPrompts(page),
  }
  return {
    era,
    server: { name: client.getServerVersion()?.name, instructions: client.getInstructions() },
    async list(kind) {
      const listed: string[] = []
      for (let page = await lists[kind](); ; page = await lists[kind]({ cursor: page.nextCursor })) {
        for (const item of page[kind] ?? []) listed.push(item.uri ?? item.uriTemplate ?? item.name ?? '')
        if (page.nextCursor === undefined) return listed
      }
    },
    call: (name, args = {}, { signal, onProgress } = {}) =>
      callTool({ name, arguments: args, _meta }, { signal, onprogress: onProgress }),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: (ref, argument, decided) =>
      client.complete({ ref, argument, ...(decided && { context: { arguments: decided } }) }),
    close: () => client.close(),
  }
}
