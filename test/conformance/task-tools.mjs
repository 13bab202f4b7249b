// The fixture's tools of the tasks extension.

import { scheduler } from 'node:timers/promises'
import { ProtocolError } from 'mcp-troupe'

const confirm = (message) => ({
  message,
  requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
})

export function registerTaskTools(server) {
  const name = { type: 'string', required: true }
  server.tool('greet', { description: 'Never a task', params: { name } }, ({ name }) => `Hello, ${name}!`)
  const compute = { seconds: { type: 'number' }, label: { type: 'string' } }
  server.tool(
    'slow_compute',
    { description: 'Takes so many seconds', params: compute, taskSupport: 'optional' },
    async ({ seconds = 0, label = 'work' }, { signal }) => {
      // The referee says how long the work takes, and cancels it meanwhile.
      await scheduler.wait(seconds * 1_000, { signal })
      return `${label} took ${seconds} s`
    },
  )
  server.tool('failing_job', { description: 'Fails as a tool', taskSupport: 'required' }, () => {
    throw new Error('The job failed')
  })
  server.tool('protocol_error_job', { description: 'Fails as a request', taskSupport: 'optional' }, () => {
    throw new ProtocolError({ code: -32603, message: 'The job broke' })
  })
  server.tool(
    'confirm_delete',
    { description: 'Asks in its task', params: { filename: { type: 'string' } }, taskSupport: 'optional' },
    async ({ filename = 'nothing' }, context) => {
      const { content } = await context.elicit(confirm(`Delete ${filename}?`))
      return content?.confirm ? `Deleted ${filename}` : `Kept ${filename}`
    },
  )
  server.tool(
    'multi_input',
    { description: 'Asks twice at once', taskSupport: 'optional' },
    async (_, context) => {
      const answers = await Promise.all(
        ['First?', 'Second?'].map((message) => context.elicit(confirm(message))),
      )
      return `${answers.length} answers`
    },
  )
  server.tool(
    'test_tool_with_task',
    { description: 'Asks, then becomes a task', taskSupport: 'required', taskStart: 'handler' },
    async (_, context) => {
      const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
      const question = { message: 'What is your name?', requestedSchema: schema }
      const { content } = await context.elicit(question, { key: 'user_name' })
      await context.startTask()
      return `Hello, ${content?.name}!`
    },
  )
}
