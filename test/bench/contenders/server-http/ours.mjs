import { serveHttp } from 'mcp-troupe/server'
import { server } from '../echo/ours.mjs'

const { url } = await serveHttp(server, { port: 0 })
process.stdout.write(`${url}\n`)
process.stdin.on('end', () => process.exit(0)).resume()
