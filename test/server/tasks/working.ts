import { ProtocolError } from '../../../src/index.ts'
import { McpServer, type McpServerOptions } from '../../../src/server/index.ts'

const form = (field: string, type = 'string') => ({
  message: `What ${field}?`,
  requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
})

/** A server whose calls become tasks. */
export function working(options: Partial<McpServerOptions> = {}): McpServer {
  const server = new McpServer({ name: 'working', onLog: () => {}, ...options })
  server.tool('plain', {}, () => 'at once')
  server.tool(
    'echo',
    { taskSupport: 'optional', params: { text: { type: 'string' } } },
    ({ text = '' }) => text,
  )
  server.tool('only', { taskSupport: 'required' }, () => 'as a task')
  server.tool('fails', { taskSupport: 'optional' }, () => {
    throw new Error('The disk is full')
  })
  server.tool('refuses', { taskSupport: 'optional' }, () => {
    throw new ProtocolError({ code: 4711, message: 'Not today', data: { until: 'tomorrow' } })
  })
  server.tool(
    'wait',
    { taskSupport: 'optional' },
    (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('aborted'), { once: true })
      }),
  )
  server.tool('ask', { taskSupport: 'optional' }, async (_, context) => {
    const [name, age] = await Promise.all([
      context.elicit(form('name'), { key: 'who' }),
      context.elicit(form('age', 'integer')),
    ])
    return `${name.content?.name} is ${age.content?.age}`
  })
  server.tool('ask-first', { taskSupport: 'required', taskStart: 'handler' }, async (_, context) => {
    const { content: first } = await context.elicit(form('name'))
    if (first?.name === 'nobody') return 'There is nothing to do'
    await context.startTask()
    context.progress({ progress: 1, total: 2 })
    const { content: then } = await context.elicit(form('age', 'integer'))
    return `${first?.name} is ${then?.age}`
  })
  server.tool('unwritable', { taskSupport: 'optional' }, () => ({ content: [], structuredContent: 1n }))
  server.tool('refuses-unwritably', { taskSupport: 'optional' }, () => {
    throw new ProtocolError({ code: 4711, message: 'Not today', data: 1n })
  })
  server.tool('asks-unwritably', { taskSupport: 'optional' }, async (_, context) => {
    await context.elicit({ message: 'What?', requestedSchema: { type: 'object', most: 1n } })
    return 'unreachable'
  })
  server.tool('ask-and-go', { taskSupport: 'optional' }, (_, context) => {
    void context.elicit(form('name'), { key: 'who' })
    return 'gone'
  })
  server.tool('starts-itself', { taskSupport: 'optional', taskStart: 'handler' }, async (_, context) => {
    await context.startTask()
    return 'done'
  })
  server.tool('never-declared', {}, async (_, context) => {
    await context.startTask()
    return 'unreachable'
  })
  return server
}
