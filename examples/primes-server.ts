// A tool whose calls take long: they run in a thread, and where the client takes tasks they become tasks.

import { McpServer, serveStdio } from 'mcp-troupe/server'

const server = new McpServer({ name: 'primes', tasks: { pollIntervalMs: 200 } })

server.tool(
  'count_primes',
  {
    description: 'Counts the primes below a number',
    params: { below: { type: 'integer', minimum: 2, maximum: 100_000_000, required: true } },
    annotations: { readOnlyHint: true, idempotentHint: true },
    taskSupport: 'optional',
    timeoutMs: 600_000,
  },
  new URL('./primes.js', import.meta.url),
)

await serveStdio(server)
