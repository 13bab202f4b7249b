import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '../../../src/index.ts'
import { loadServer } from '../../../src/server/config/load-server.ts'
import { type HttpSection, McpServer, serveHttp } from '../../../src/server/index.ts'
import { temporaryFolder } from '../../config/harness.ts'
import { pathOf } from '../../e2e/harness.ts'
import { Asker } from '../dispatch/harness.ts'

const weather = pathOf('../fixtures/toolkits/weather.mjs')

/** A folder with a file in it, until the test ends. */
async function folderWith(files: { readonly [name: string]: string }): Promise<string> {
  const folder = await temporaryFolder()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder.path, name, '..'), { recursive: true })
    await writeFile(join(folder.path, name), content)
  }
  return folder.path
}

async function load(config: string, options: Parameters<typeof loadServer>[1] = {}) {
  const folder = await folderWith({ 'server.json': config })
  return { folder, ...(await loadServer(join(folder, 'server.json'), options)) }
}

async function names(server: McpServer): Promise<readonly string[]> {
  return (await server.toolsForLlm()).map((tool) => tool.function.name)
}

async function infoOf(server: McpServer): Promise<unknown> {
  const { result } = await new Asker(server).initialize()
  return { ...(result?.serverInfo as object), instructions: result?.instructions }
}

describe('a file', () => {
  it('describes a server: what it is called, its toolkits, how it is served', async () => {
    const { server, http } = await load(`// with comments
    {
      "name": "my-tools", "version": "2.1", "instructions": "Look at the sky first.",
      "tools": {
        "${weather}": { "apiKey": "x" },
        "${weather}#again": { "apiKey": "y", "prefix": "wx" },
      },
      "http": { "port": 0, "path": "api/mcp", "allowedOrigins": ["https://app.example.com"], "legacy": true },
    }`)
    expect(await names(server)).toEqual([
      'weather_forecast',
      'weather_settings',
      'wx_forecast',
      'wx_settings',
    ])
    expect(await infoOf(server)).toEqual({
      name: 'my-tools',
      version: '2.1',
      instructions: 'Look at the sky first.',
    })
    expect(http).toEqual({
      port: 0,
      path: 'api/mcp',
      allowedOrigins: ['https://app.example.com'],
      legacy: true,
    })
  })

  it('says of HTTP all that is no function and no store', async () => {
    const section: Required<HttpSection> = {
      port: 0,
      host: '127.0.0.1',
      path: 'x',
      allowedOrigins: [],
      allowNoOrigin: false,
      allowedHosts: ['tools.example'],
      keepAliveMs: 1,
      legacy: true,
      maxSessions: 2,
      sessionIdleMs: 3,
      retryMs: 4,
      maxRequests: 5,
      maxMessageBytes: 6,
      headersTimeoutMs: 7,
      requestTimeoutMs: 8,
      stallTimeoutMs: 9,
      closeGraceMs: 10,
    }
    const { http } = await load(JSON.stringify({ name: 'a', http: section }))
    expect(http).toEqual(section)
  })

  it('needs no more than a name, and its reader may know better', async () => {
    const { server, http } = await load('{"name": "a", "version": "1"}', { name: 'b', instructions: 'c' })
    expect(await infoOf(server)).toEqual({ name: 'b', version: '1', instructions: 'c' })
    expect(http).toBeUndefined()
  })

  it('names modules and paths from its own folder, and variables of the environment', async () => {
    const config = { apiKey: `$\{WEATHER_KEY}`, cache: 'cache' }
    const folder = await folderWith({
      'here/server.json': JSON.stringify({ name: 'a', tools: { './kit.mjs': config, 'sky-pack': config } }),
      'here/kit.mjs': `export { default as Kit } from ${JSON.stringify(weather)}`,
      // Only for those who import it, as many packages are.
      'node_modules/sky-pack/package.json':
        '{"name": "sky-pack", "type": "module", "exports": {".": {"import": "./sky.js"}}}',
      'node_modules/sky-pack/sky.js': `import Weather from ${JSON.stringify(weather)}
        export default class Sky extends Weather { defaultPrefix = 'sky' }`,
    })
    const { server } = await loadServer(join(folder, 'here/server.json'), { env: { WEATHER_KEY: 'k' } })
    const calls = ['weather_settings', 'sky_settings'].map((name) => ({
      id: name,
      function: { name, arguments: {} },
    }))
    const settings = (await server.executeToolCalls(calls)).map(({ content }) => JSON.parse(content))
    const expected = { apiKey: 'k', cache: join(folder, 'here/cache') }
    expect(settings).toEqual([expected, expected])
  })

  it('is what McpServer.load reads, with how to serve it', async () => {
    const folder = await folderWith({ 'server.json': '{"name": "a", "http": {"port": 0, "path": "x"}}' })
    const { server, http } = await McpServer.load(join(folder, 'server.json'), { version: '2' })
    expect(await infoOf(server)).toMatchObject({ name: 'a', version: '2' })
    await using serving = await serveHttp(server, http)
    expect(new URL(serving.url).pathname).toBe('/x')
  })

  it('is what McpServer.fromConfig reads', async () => {
    const folder = await folderWith({
      'server.json': `{"name": "a", "tools": {"${weather}": {"apiKey": "x"}}}`,
    })
    expect(await names(await McpServer.fromConfig(join(folder, 'server.json')))).toHaveLength(2)
    await expect(McpServer.fromConfig(join(folder, 'none.json'))).rejects.toThrow(
      'none.json: cannot be read as the configuration of a server: ENOENT',
    )
  })
})

it('of the examples is one', async () => {
  const tools = await names(await McpServer.fromConfig(pathOf('../../examples/server.json')))
  expect(tools).toEqual(expect.arrayContaining(['fs_read', 'tests_read', 'sh_run']))
})

/** Each with the line and column of the fault. */
const faults: readonly (readonly [config: string, message: string])[] = [
  ['', '<file>: is empty; it should hold {"name": "my-tools"'],
  ['{"name": "a",\n  "tools" {}}', '<file>:2:11: is no valid JSON: colon expected'],
  ['[]', '<file>:1:1: must be an object, not an array'],
  ['{}', '<file>:1:1: has no name; write {"name": "my-tools"'],
  ['{"name": ""}', 'name: must be a non-empty string, not an empty one (<file>:1:10)'],
  ['{"name": "a",\n "tolls": {}}', 'tolls: is no key here; did you mean tools? (<file>:2:11)'],
  [
    '{"name": "a", "colour": 1}',
    'colour: is no key here; known are name, version, instructions, tools, http (<file>:1:25)',
  ],
  ['{"name": "a", "tools": []}', 'tools: must be an object, not an array (<file>:1:24)'],
  ['{"name": "a", "tools": {"x": 1}}', 'tools.x: must be an object, not 1 (<file>:1:30)'],
  ['{"name": "a", "tools": {"#x": {}}}', 'tools.#x: names no toolkit'],
  ['{"name": "a", "tools": {"x": {}, "x": {}}}', 'tools.x: is there twice'],
  ['{"name": "a", "tools": {"./x.js": {}}}', 'tools../x.js: cannot be loaded: there is no file '],
  [
    '{"name": "a", "tools": {"@no/such-pack/sub": {}}}',
    'there is no package @no/such-pack: npm install @no/such-pack brings one',
  ],
  [
    `{"name": "a", "tools": {\n  "${weather}": {\n "apiKey": "x",\n  "unit": "metric"}}}`,
    'unit: is no key here; did you mean units? (<file>:4:11)',
  ],
  [
    `{"name": "a", "tools": {\n  "${weather}#b": {"unit": "x", "apikey": "x"}}}`,
    '#b: unit is no key here (did you mean units?), apikey is no key here (did you mean apiKey?), apiKey is missing; known are apiKey, units, cities, cache (<file>:2:',
  ],
  [`{"name": "a", "tools": {"${weather}": {"apiKey": 1}}}`, 'apiKey: must be a string (<file>:1:'],
  [`{"name": "a", "tools": {"${weather}": {"apiKey": "\${NO_SUCH}"}}}`, 'needs the variable NO_SUCH'],
  [
    `{"name": "a", "tools": {"${weather}": {"apiKey": "expired"}}}`,
    'makes no toolkit: The key has expired (<file>:1:',
  ],
  [
    `{"name": "a", "tools": {"${weather}": {"apiKey": "x"},\n"${weather}#2": {"apiKey": "x"}}}`,
    '#2: cannot be plugged: tool: weather_forecast is registered already; register one of the two under another prefix (<file>:2:',
  ],
  [
    `{"name": "a", "tools": {"${weather}": {"apiKey": "x", "prefix": "a b"}}}`,
    'cannot be plugged: group: prefixes are characters',
  ],
  ['{"name": "a", "http": {"prot": 1}}', 'http.prot: is no key here; did you mean port? (<file>:1:32)'],
  ['{"name": "a", "http": {"port": 65536}}', 'http.port: must be a whole number from 0 to 65535'],
  ['{"name": "a", "http": {"host": ""}}', 'http.host: must be a non-empty string'],
  [
    '{"name": "a", "http": {"path": "a?b"}}',
    'http.path: must be a path, without query or fragment (<file>:1:',
  ],
  ['{"name": "a", "http": {"allowedOrigins": "*"}}', 'http.allowedOrigins: must be an array'],
  [
    '{"name": "a", "http": {"allowedOrigins": ["https://a.example/"]}}',
    'http.allowedOrigins.0: must be an origin as browsers send it, e.g. https://app.example.com (<file>:1:43)',
  ],
  ['{"name": "a", "http": {"maxRequests": 0}}', 'http.maxRequests: must be a whole number above 0'],
  [
    '{"name": "a", "http": {"requestTimeoutMs": 0.5}}',
    'http.requestTimeoutMs: must be a whole number above 0',
  ],
  ['{"name": "a", "http": {"retryMs": "1"}}', 'http.retryMs: must be milliseconds, 0 or more, not a string'],
  ['{"name": "a", "http": {"authorization": {}}}', 'http.authorization: is no key here'],
  ['{"name": "a", "http": {"eventStore": {}}}', 'http.eventStore: is no key here'],
  ['{"name": "a", "http": {"legacy": 1}}', 'http.legacy: must be true or false'],
]

it.each(faults)('%s is refused', async (config, message) => {
  const folder = await folderWith({ 'server.json': config })
  const file = join(folder, 'server.json')
  const failure = await loadServer(file).catch((error) => error)
  expect(failure).toBeInstanceOf(ConfigError)
  expect(failure.message.replaceAll(file, '<file>')).toContain(message)
})
