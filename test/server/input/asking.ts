import { McpServer, type McpServerOptions } from '../../../src/server/index.ts'

const form = (field: string, type = 'string') => ({
  message: `What ${field}?`,
  requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
})

/** A server whose tools ask before they answer; `runs` counts how often the handlers began. */
export function asking(options: Partial<McpServerOptions> = {}): {
  readonly server: McpServer
  readonly runs: string[]
} {
  const server = new McpServer({ name: 'asking', ...options })
  const runs: string[] = []
  const begin = (name: string) => runs.push(name)
  server.tool('name', {}, async (_, context) => {
    begin('name')
    const { action, content } = await context.elicit(form('name'))
    return action === 'accept' ? `Hello, ${content?.name}!` : `They would not say: ${action}`
  })
  server.tool('steps', {}, async (_, context) => {
    begin('steps')
    const { content: first } = await context.elicit(form('name'))
    const { content: second } = await context.elicit(form('age', 'integer'))
    return `${first?.name} is ${second?.age}`
  })
  server.tool('all', {}, async (_, context) => {
    begin('all')
    const [answer, sample, roots] = await Promise.all([
      context.elicit(form('name'), { key: 'who' }),
      context.sample({ messages: [], maxTokens: 5 }),
      context.roots(),
    ])
    return JSON.stringify([answer.content?.name, sample.model, roots.map(({ uri }) => uri)])
  })
  server.tool('page', {}, async (_, context) => {
    const { action } = await context.elicit({
      mode: 'url',
      message: 'Sign in',
      url: 'https://example.com/in',
    })
    return action
  })
  server.tool('stubborn', {}, async (_, context) => {
    begin('stubborn')
    const { content } = await context.elicit(form('name')).catch(() => ({ content: { name: 'nobody' } }))
    return `Hello, ${content?.name}!`
  })
  server.prompt('ask', {}, async (_, context) => {
    const { content } = await context.elicit(form('topic'))
    return `About ${content?.topic}`
  })
  server.template('ask://{id}', { name: 'asks' }, async ({ variables }, context) => {
    const { content } = await context.elicit(form('topic'))
    return `${variables.id}: ${content?.topic}`
  })
  return { server, runs }
}
