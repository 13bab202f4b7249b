// One contender under one measurement in a process of its own, on plain JavaScript; prints the figures as JSON.
// argv: contender, measurement, settings as JSON. Nothing of the contender is loaded before the measurement asks.

import { fileURLToPath } from 'node:url'

const [contender, measurement, settingsText] = process.argv.slice(2)
const { wire = 'stdio', ...settings } = JSON.parse(settingsText)

// What clients are compared with: a stdio server they start themselves, an HTTP server runs before they come.
const servers = {
  stdio: () => ({
    command: process.execPath,
    args: [fileURLToPath(new URL('../fixtures/servers/echo.mjs', import.meta.url))],
  }),
  'http-json': () => startHttpServer([]),
  'http-sse': () => startHttpServer(['--sse']),
}

async function startHttpServer(flags) {
  const starting = await import('./start-http-server.mjs')
  return starting.startHttpServer(flags)
}

const { measure } = await import(`./measurements/${measurement}.mjs`)
const folder = wire.startsWith('http-') ? 'http' : wire
const module = new URL(`./contenders/${folder}/${contender}.mjs`, import.meta.url)
const figures = await measure({
  load: () => import(module),
  server: await servers[wire]?.(),
  // Where servers are compared, the contender is one, and is started.
  program: fileURLToPath(module),
  wire,
  ...settings,
})
process.stdout.write(JSON.stringify(figures), () => process.exit(0))
