// Serves the inspector's page for one server, looks at it as a browser would, and says what was there.
import { McpClient } from 'mcp-troupe'
import { serveInspector } from 'mcp-troupe/inspector'

const inspector = await serveInspector()
const client = McpClient.connectStdio({
  command: process.execPath,
  args: [process.argv[2]],
  inspect: inspector.observer,
  inspectAs: 'files',
})
await client.era()
const page = await fetch(inspector.url).then((answer) => answer.text())
const linked = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path)
const paths = [...linked, 'machines/supervisedChild.svg', 'machines/connection.json']
const answers = await Promise.all(paths.map((path) => fetch(new URL(path, inspector.url))))
const events = await fetch(new URL('events', inspector.url))
const { value } = await events.body.getReader().read()
const { actors } = JSON.parse(new TextDecoder().decode(value).split('\n\n')[0].replace('data: ', ''))
await client.close()
await inspector.close()
console.log(
  JSON.stringify({
    found: Object.fromEntries(answers.map(({ status }, index) => [paths[index], status])),
    actors: actors.map(({ key, states }) => [key, states.at(-1)]),
  }),
)
