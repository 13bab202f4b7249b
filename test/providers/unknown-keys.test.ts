import { describe, expect, it } from 'vitest'
import {
  ConfigError,
  Reasons,
  type ToolDeclaration,
  UnknownKeys,
  type UnknownKeysWarning,
} from '../../src/index.ts'
import { call, declared, Toolkit } from './registry/provider.ts'

class Files extends Toolkit {
  override async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    const parameters = { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'number' } } }
    const open = (name: string) => ({
      ...declared(name),
      function: { ...declared(name).function, parameters },
    })
    return [open('fs_read'), open('fs_list'), declared('ping')]
  }
}

async function alarm() {
  const inner = new Files()
  const warnings: UnknownKeysWarning[] = []
  const layer = new UnknownKeys({ provider: inner, onWarn: (warning) => void warnings.push(warning) })
  await layer.toolsForLlm()
  return { inner, layer, warnings }
}

describe('an argument that its tool never declared', () => {
  it('is told with the tool, the call, and what is declared; the call goes down as it is', async () => {
    const { inner, layer, warnings } = await alarm()
    const calls = [call('fs_read', { path: 'x', recursive: true, depth: 2 })]
    const options = { claim: 'me' }
    const results = await layer.executeToolCalls(calls, options)
    const id = calls[0]?.id
    expect(warnings).toEqual([
      {
        tool: 'fs_read',
        id,
        unknownKeys: ['recursive', 'depth'],
        declaredKeys: ['path', 'lines'],
        message: `fs_read (${id}) was called with recursive, depth, which it never declared; it declares path, lines`,
      },
    ])
    expect(inner.batches[0]).toBe(calls)
    expect(inner.options[0]).toBe(options)
    expect(results).toMatchObject([{ tool_call_id: id, content: 'fs_read was run' }])
  })

  it('is told once for each tool, and a new one again', async () => {
    const { layer, warnings } = await alarm()
    await layer.executeToolCalls([call('fs_read', '{"recursive":1}'), call('fs_read', { recursive: 1 })])
    await layer.executeToolCalls([
      call('fs_read', { recursive: 1, depth: 1 }),
      call('fs_list', { recursive: 1 }),
    ])
    expect(warnings.map(({ tool, unknownKeys }) => [tool, ...unknownKeys])).toEqual([
      ['fs_read', 'recursive'],
      ['fs_read', 'depth'],
      ['fs_list', 'recursive'],
    ])
  })

  it('harms nothing when the alarm itself fails', async () => {
    const inner = new Files()
    const onWarn = () => {
      throw new Error('a fault of the host')
    }
    const layer = new UnknownKeys({ provider: inner, onWarn })
    await layer.toolsForLlm()
    expect(await layer.executeToolCalls([call('fs_read', { recursive: 1 })])).toMatchObject([
      { is_error: false },
    ])
  })
})

describe('nothing is told of', () => {
  it.each([
    ['what is declared', call('fs_read', { path: 'x' })],
    ['a reason', call('fs_read', { reason: 'to see' })],
    ['a tool that was never listed', call('fs_stat', { recursive: 1 })],
    ['a tool that declares nothing', call('ping', { recursive: 1 })],
    ['no arguments', call('fs_read', '')],
    ['arguments that are not JSON', call('fs_read', '{"recursive":')],
    ['arguments that are no object', call('fs_read', '[1]')],
    ['what is no call', null as never],
  ])('%s', async (_, call) => {
    const { layer, warnings, inner } = await alarm()
    inner.executeToolCalls = async () => []
    await layer.executeToolCalls([call])
    expect(warnings).toEqual([])
  })

  it('a tool to which only the layer below added a reason', async () => {
    const warnings: UnknownKeysWarning[] = []
    const provider = new Reasons({ provider: new Files() })
    const layer = new UnknownKeys({ provider, onWarn: (warning) => void warnings.push(warning) })
    await layer.toolsForLlm()
    await layer.executeToolCalls([call('ping', { recursive: 1 })])
    expect(warnings).toEqual([])
  })

  it('anything when nothing was listed yet', async () => {
    const warnings: UnknownKeysWarning[] = []
    const layer = new UnknownKeys({ provider: new Files(), onWarn: (warning) => void warnings.push(warning) })
    await layer.executeToolCalls([call('fs_read', { recursive: 1 })])
    expect(warnings).toEqual([])
  })
})

it('what throws below throws through it', async () => {
  const { layer, inner } = await alarm()
  inner.executeToolCalls = () => Promise.reject(new Error('gone'))
  inner.toolsForLlm = () => Promise.reject(new Error('no list'))
  await expect(layer.executeToolCalls([])).rejects.toThrow('gone')
  await expect(layer.toolsForLlm()).rejects.toThrow('no list')
})

it('passes on the events of what is below', () => {
  const inner = new Toolkit()
  const heard: unknown[] = []
  new UnknownKeys({ provider: inner, onWarn: () => {} }).on?.('catalogue', (event) => heard.push(event))
  inner.tell('catalogue', { path: ['x'] })
  expect(heard).toEqual([{ path: ['x'] }])
})

it('refuses bad options', () => {
  for (const options of [{}, { provider: new Files() }, { provider: 7, onWarn: () => {} }])
    expect(() => new UnknownKeys(options as never)).toThrow(ConfigError)
})
