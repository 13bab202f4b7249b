import { createServer, request as forward } from 'node:http'
import { onTestFinished } from 'vitest'
import { listening } from '../../transports/http/harness.ts'
import type { BareServer } from './bare.ts'
import type { Listening } from './harness.ts'
import { Sockets } from './sockets.ts'

/** A gateway that passes an answer on when all of it is there, and none before. */
export async function buffering(server: BareServer): Promise<Listening & { readonly url: string }> {
  const gateway = createServer((request, response) => {
    const { method, url: path, headers } = request
    const target = { host: '127.0.0.1', port: server.port, method, path, headers, agent: false }
    const upstream = forward(target, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', () => response.destroy())
      answer.on('end', () => {
        const { 'transfer-encoding': _chunked, connection: _theirs, ...kept } = answer.headers
        response.writeHead(answer.statusCode ?? 502, kept).end(Buffer.concat(parts))
      })
    })
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    request.pipe(upstream)
  })
  const sockets = new Sockets(gateway)
  const port = await listening(gateway)
  onTestFinished(() => {
    gateway.close()
    sockets.destroy()
  })
  const idle = async () => void (await Promise.all([sockets.idle(), server.idle()]))
  return { url: `http://127.0.0.1:${port}/mcp`, idle }
}
