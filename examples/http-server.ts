import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A fixture server on a free port of this machine; ended by `stop()`. */
export async function httpServer(
  name: string,
): Promise<{ url(path: string): string; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL(`../test/fixtures/servers/${name}.mjs`, import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(createInterface({ input: child.stdout }), 'line')
  return { url: (path) => `http://127.0.0.1:${port}${path}`, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill()
  await closed
}
