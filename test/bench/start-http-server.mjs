import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const fixture = fileURLToPath(new URL('../fixtures/servers/echo-http.mjs', import.meta.url))

/** A process that ends with this one, however that ends: it reads the end of its input. */
export async function startHttpServer(flags) {
  const stdio = ['pipe', 'pipe', 'inherit']
  const server = spawn(process.execPath, [fixture, ...flags], { stdio })
  const [url] = await once(createInterface(server.stdout), 'line')
  return { url }
}
