/** A server of both eras: `npx tsx examples/greeter.ts` on stdio, with `--http` at a URL that it prints. */
import process from 'node:process'
import { McpServer, serveHttp, serveStdio } from 'mcp-troupe/server'

const server = new McpServer({ name: 'greeter', version: '1.0.0' })

server.tool(
  'greet',
  {
    description: 'Greets somebody by name',
    params: { name: { type: 'string', description: 'Whom', required: true } },
    annotations: { readOnlyHint: true, idempotentHint: true },
  },
  ({ name }) => `Hello, ${name}!`,
)

server.tool('book', { description: 'Books a table, once somebody said for how many' }, async (_, context) => {
  const { action, content } = await context.elicit({
    message: 'For how many?',
    requestedSchema: { type: 'object', properties: { guests: { type: 'integer' } }, required: ['guests'] },
  })
  if (action !== 'accept') return 'Nothing was booked.'
  // Effects come after the last question: in the modern era everything above runs again with the answer.
  context.log('info', `booked for ${content?.guests}`)
  return `Booked for ${content?.guests}.`
})

server.resource(
  'greeter://hours',
  { name: 'Opening hours', mimeType: 'text/plain' },
  () => 'Noon to midnight',
)

if (process.argv.includes('--http')) {
  const { url } = await serveHttp(server, { port: 0, legacy: true })
  process.stdout.write(`${url}\n`)
} else await serveStdio(server)
