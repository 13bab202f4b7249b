// On node:http by the adapter that the official package for it uses, too.

import { createServer as createHttpServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createServer } from '../echo/official.mjs'

const handler = createMcpHandler(createServer)
const http = createHttpServer(getRequestListener(handler.fetch))
http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`))
process.stdin.on('end', () => process.exit(0)).resume()
