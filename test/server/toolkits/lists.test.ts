import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/index.ts'
import {
  type CreateOptions,
  McpServer,
  type Toolkit,
  type ToolkitEntry,
  toolkitFromConfig,
} from '../../../src/server/index.ts'

const path = (name: string) => `./test/fixtures/toolkits/${name}`

class Counter implements Toolkit {
  static readonly config = {
    type: 'object',
    properties: { from: { type: 'integer' }, step: { type: 'integer' } },
    required: ['from'],
  }

  readonly from: number

  constructor({ from }: { from: number; step?: number }) {
    this.from = from
  }

  register(registrar: Parameters<Toolkit['register']>[0]): void {
    registrar.tool('count', {}, () => `${this.from}`)
  }
}

class Unreadable implements Toolkit {
  static get config(): never {
    throw new Error('Not today')
  }

  register(): void {}
}

async function names(options: Omit<CreateOptions, 'name'>): Promise<readonly string[]> {
  const server = await McpServer.create({ name: 'host', ...options })
  return (await server.toolsForLlm()).map((tool) => tool.function.name)
}

describe('a list of toolkits', () => {
  it('takes instances, classes and names, each with its configuration and prefix', async () => {
    const toolkits: readonly ToolkitEntry[] = [
      new Counter({ from: 1 }),
      [new Counter({ from: 1 }), { prefix: 'second', separator: '-' }],
      [Counter, { from: 3, prefix: 'third' }],
      [path('weather.mjs'), { apiKey: 'x' }],
      [path('weather.mjs'), { apiKey: 'x', prefix: 'wx' }],
      path('slow.mjs'),
    ]
    expect(await names({ toolkits })).toEqual([
      'count',
      'second-count',
      'third_count',
      'weather_forecast',
      'weather_settings',
      'work',
      'wx_forecast',
      'wx_settings',
    ])
  })

  it('is plugged by the constructor as far as it is made already', async () => {
    const toolkits = [new Counter({ from: 1 }), [new Counter({ from: 2 }), { prefix: 'b' }]] as const
    const server = new McpServer({ name: 'host', toolkits })
    expect(await server.toolsForLlm()).toHaveLength(2)
    expect(() => new McpServer({ name: 'host', toolkits: ['FileSystem'] as never })).toThrow(
      'toolkits: must be an array of toolkits, or of [toolkit, { prefix }]; McpServer.create takes',
    )
  })

  it.each<[entry: unknown, message: string]>([
    [1, 'toolkits.0: must be a toolkit, a class of toolkits or the name of one'],
    [class {}, 'toolkits.0: must be a toolkit, a class of toolkits or the name of one'],
    [Counter, 'toolkits.0: from is missing; known are from, step'],
    [[Counter, { from: 1, stpe: 2 }], 'toolkits.0.stpe: is no key here; did you mean step?'],
    [
      [Counter, { form: 1, colour: 2 }],
      'toolkits.0: form is no key here (did you mean from?), colour is no key here, from is missing; known are from, step',
    ],
    [[Counter, { from: 'one' }], 'toolkits.0.from: must be an integer'],
    [[Counter, { from: 1, prefix: 1 }], 'toolkits.0.prefix: must be a string'],
    [[Counter, 'from'], 'toolkits.0: must be an object, not a string'],
    [[new Counter({ from: 1 }), { from: 2 }], 'plug.from: is no option; known are prefix, separator'],
    [path('none.mjs'), 'toolkits.0: cannot be loaded: there is no file '],
    [
      'no-such-toolkit',
      'toolkits.0: is not built in, and there is no package no-such-toolkit: npm install no-such-toolkit brings one',
    ],
    [[path('weather.mjs'), { apiKey: 'expired' }], 'toolkits.0: makes no toolkit: The key has expired'],
    [[path('weather.mjs'), { apiKey: 's', units: 'both' }], 'toolkits.0.units: must be one of "'],
    [[path('weather.mjs'), { apiKey: 's', cities: [1] }], 'toolkits.0.cities.0: must be a string'],
    [path('unreadable.cjs'), 'toolkits.0: cannot be looked into: Not on this system'],
    [Unreadable, 'toolkits.0: cannot be looked into: Not today'],
    ['no such', 'toolkits.0: is not built in, and names no module'],
    ['vitest', 'toolkits.0: exports no class of toolkits'],
  ])('refuses %j and says why', async (entry, message) => {
    const failure = await McpServer.create({ name: 'host', toolkits: [entry as never] }).catch(
      (error) => error,
    )
    expect(failure).toBeInstanceOf(ConfigError)
    expect(failure.message).toContain(message)
  })

  it('never repeats a value', async () => {
    const toolkits = [[path('weather.mjs'), { apiKey: { secret: 'hunter2' }, hunter3: 'hunter2' }]] as never
    await expect(McpServer.create({ name: 'host', toolkits })).rejects.toThrow(/^(?!.*hunter2)/)
  })

  it('makes the paths of a configuration absolute', async () => {
    const toolkits = [[path('weather.mjs'), { apiKey: 'x', cache: 'some/where' }]] as const
    const server = await McpServer.create({ name: 'host', toolkits })
    const [result] = await server.executeToolCalls([
      { id: '1', function: { name: 'weather_settings', arguments: {} } },
    ])
    expect(JSON.parse(result?.content ?? '')).toEqual({ apiKey: 'x', cache: `${process.cwd()}/some/where` })
  })
})

describe('a class of toolkits', () => {
  it('makes one of a configuration that fits', () => {
    expect(toolkitFromConfig(Counter, { from: 7 }).from).toBe(7)
    expect(() => toolkitFromConfig(Counter)).toThrow('config: from is missing; known are from, step')
  })

  it('has nothing to configure unless it says so', () => {
    class Plain implements Toolkit {
      register(): void {}
    }
    expect(toolkitFromConfig(Plain)).toBeInstanceOf(Plain)
    expect(() => toolkitFromConfig(Plain, { a: 1 })).toThrow('config.a: is no key here; there are none')
  })

  it.each([
    [{ type: 'array' }, 'static config is no JSON Schema with type "object"'],
    [{ type: 'object', properties: { prefix: {} } }, 'declares the key prefix'],
    [{ type: 'object', properties: { a: { type: 'objet' } } }, 'no valid JSON Schema'],
  ])('is refused for the schema %j', (config, message) => {
    class Bad implements Toolkit {
      static readonly config = config
      register(): void {}
    }
    expect(() => toolkitFromConfig(Bad)).toThrow(message)
  })

  it('takes other keys where its schema is open', () => {
    class Open implements Toolkit {
      static readonly config = { type: 'object', additionalProperties: { type: 'string' } }
      register(): void {}
    }
    expect(toolkitFromConfig(Open, { any: 'thing' })).toBeInstanceOf(Open)
    expect(() => toolkitFromConfig(Open, { any: 1 })).toThrow('config.any: must be a string')
  })
})

it('a toolkit with another copy of this package is understood', async () => {
  const server = await McpServer.create({ name: 'host', toolkits: [path('other-copy.mjs')] })
  const results = await server.executeToolCalls(
    ['refuse', 'era'].map((name) => ({ id: name, function: { name, arguments: {} } })),
  )
  expect(results).toMatchObject([{ content: expect.stringContaining('4711') }, { content: 'modern' }])
})
