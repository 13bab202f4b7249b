// One contender under one measurement in a process of its own, on plain JavaScript; prints the figures as JSON.
// argv: contender, measurement, settings as JSON. Nothing of the contender is loaded before the measurement asks.

import { fileURLToPath } from 'node:url'

const [contender, measurement, settings] = process.argv.slice(2)
const server = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../fixtures/servers/echo.mjs', import.meta.url))],
}
const { measure } = await import(`./measurements/${measurement}.mjs`)
const figures = await measure({
  load: () => import(`./contenders/${contender}.mjs`),
  server,
  ...JSON.parse(settings),
})
process.stdout.write(JSON.stringify(figures), () => process.exit(0))
