import { connect, createServer } from 'node:net'
import { listening } from '../../transports/http/harness.ts'
import type { Listening } from './harness.ts'
import { Sockets } from './sockets.ts'

export interface Line extends Listening {
  url(path: string): string
  close(): void
}

/** What stands between a client and a server that does not tell how many connections it has. */
export async function openLine(serverPort: number): Promise<Line> {
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  const sockets = new Sockets(server)
  const port = await listening(server)
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    idle: () => sockets.idle(),
    close: () => {
      server.close()
      sockets.destroy()
    },
  }
}
