import { serveStdio } from 'mcp-troupe/server'
import { server } from '../echo/ours.mjs'

await serveStdio(server)
