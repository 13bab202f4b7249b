import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Line {
  url(path: string): string
  /** Resolves when nobody is connected. */
  idle(): Promise<void>
  close(): void
}

/** What stands between a client and a server that does not tell how many connections it has. */
export async function openLine(serverPort: number): Promise<Line> {
  const clients = new Set<Socket>()
  let waiting: (() => void)[] = []
  const server = createServer((client) => {
    clients.add(client)
    const upstream = connect(serverPort, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.on('close', () => {
      upstream.destroy()
      clients.delete(client)
      if (clients.size > 0) return
      for (const tell of waiting) tell()
      waiting = []
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    idle: async () => {
      if (clients.size > 0) await new Promise<void>((idle) => waiting.push(idle))
    },
    close: () => {
      server.close()
      for (const client of clients) client.destroy()
    },
  }
}
