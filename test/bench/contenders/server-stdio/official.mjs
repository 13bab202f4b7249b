import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createServer } from '../echo/official.mjs'

serveStdio(createServer)
