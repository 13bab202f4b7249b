import { type ClientOptions, McpClient } from '../../../src/index.ts'
import type { Era } from '../../../src/protocol/versions.ts'
import { Heard } from '../../e2e/heard.ts'
import { answers, type Counterpart, type Note, type Wire } from './counterpart.ts'

/** Our client, told which era to speak. */
export async function ourClient(wire: Wire, era: Era): Promise<Counterpart> {
  const options: ClientOptions = {
    era,
    logLevel: 'info',
    // On a busy machine a program in TypeScript takes its time.
    probeTimeoutMs: 60_000,
    onElicit: ({ params }) => answers.elicit(params),
    onSample: () => answers.sample,
    onListRoots: () => answers.roots,
  }
  const { kind } = wire
  const client =
    kind === 'stdio'
      ? McpClient.connectStdio({ command: wire.command, args: wire.args, ...options })
      : McpClient.connectHttp({ url: wire.url, hosting: 'inline', ...options })
  const notes = new Heard<Note>()
  client.on('notification', notes.hear)
  const { name } = (await client.serverInfo()) ?? {}
  return {
    era: await client.era(),
    server: { name, instructions: await client.instructions() },
    notes,
    async list(kind) {
      switch (kind) {
        case 'tools':
          return (await client.listTools()).map(({ name }) => name)
        case 'resources':
          return (await client.listResources()).map(({ uri }) => uri)
        case 'resourceTemplates':
          return (await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)
        case 'prompts':
          return (await client.listPrompts()).map(({ name }) => name)
      }
    },
    call: (tool, args, options) => client.callTool(tool, args, options),
    read: (uri) => client.readResource(uri),
    prompt: (prompt, args) => client.getPrompt(prompt, args),
    complete: async (ref, argument, decided) => ({
      completion: await client.complete(ref, argument, decided),
    }),
    async follow(uri) {
      await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
    },
    close: () => client.close(),
  }
}
