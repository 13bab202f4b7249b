import { expect, it } from 'vitest'
import { McpServer, type Toolkit } from '../../src/server/index.ts'
import { Asker } from './dispatch/harness.ts'

const weather: Toolkit = {
  defaultPrefix: 'weather',
  register(registrar) {
    registrar.tool('forecast', {}, () => 'sunny')
    registrar.prompt('ask', {}, () => 'How is the weather?')
    registrar.resource('weather://stations', { name: 'Stations' }, () => 'none')
    registrar.resource('file:///etc/hosts', { name: 'Hosts' }, () => 'none')
    registrar.group('sea', (sea) => sea.tool('tide', {}, () => 'low'))
  },
}

async function names(server: McpServer): Promise<readonly unknown[]> {
  const asker = new Asker(server)
  const tools = (await server.toolsForLlm()).map((tool) => tool.function.name)
  const { result: prompts } = await asker.modern('prompts/list')
  const { result: resources } = await asker.modern('resources/list')
  return [
    ...tools,
    ...((prompts?.prompts ?? []) as { name: string }[]).map(({ name }) => name),
    ...((resources?.resources ?? []) as { uri: string }[]).map(({ uri }) => uri),
  ]
}

it.each([
  [
    {},
    [
      'weather_forecast',
      'weather_sea_tide',
      'weather_ask',
      'file://weather/etc/hosts',
      'weather://weather/stations',
    ],
  ],
  [
    { prefix: 'wx', separator: '-' },
    ['wx-forecast', 'wx-sea_tide', 'wx-ask', 'file://wx/etc/hosts', 'weather://wx/stations'],
  ],
  [{ prefix: '' }, ['forecast', 'sea_tide', 'ask', 'file:///etc/hosts', 'weather://stations']],
])('plugged with %o a toolkit registers all it has under its prefix', async (options, expected) => {
  const server = new McpServer({ name: 'host' })
  const takeAway = server.plug(weather, options)
  expect(await names(server)).toEqual(expected)
  takeAway()
  expect(await names(server)).toEqual([])
})

it('plugged twice it collides and leaves nothing behind, unless its prefixes differ', async () => {
  const server = new McpServer({ name: 'host' })
  server.tool('weather_sea_tide', {}, () => '')
  expect(() => server.plug(weather)).toThrow('weather_sea_tide is registered already')
  expect(await names(server)).toEqual(['weather_sea_tide'])
  server.plug(weather, { prefix: 'other' })
  expect(await names(server)).toHaveLength(6)
})

it('that registers later is refused: nobody would hear of its failure', async () => {
  const server = new McpServer({ name: 'host' })
  const late: Toolkit = {
    async register(registrar) {
      registrar.tool('early', {}, () => '')
      throw new Error('too late')
    },
  }
  expect(() => server.plug(late)).toThrow('toolkit.register: must not be async: a toolkit registers at once')
  expect(await names(server)).toEqual([])
})
