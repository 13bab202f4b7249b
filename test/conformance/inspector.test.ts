import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { serve } from '../server/http/harness.ts'
import { kit } from '../server/kit.ts'
import { inspect, inspectorFolder } from './inspector.ts'
import { installPinned } from './install-pinned.ts'

const program = fileURLToPath(new URL('../server/programs/kit.ts', import.meta.url))
const stdio = async () => ({
  command: process.execPath,
  args: ['--import', import.meta.resolve('tsx'), program],
})
const http = async () => {
  const { url } = await serve(kit(), { legacy: true })
  return { type: 'streamable-http', url }
}

// Once a download.
beforeAll(() => installPinned(inspectorFolder, 'the MCP Inspector and its Node'), 300_000)

describe.each([
  ['stdio', stdio],
  ['HTTP', http],
] as const)('the MCP Inspector over %s', (_, describeServer) => {
  it.each(['legacy', 'modern'])('lists and calls, in the %s era', async (protocolEra) => {
    const server: JsonObject = { ...(await describeServer()), protocolEra }
    const [listed, called] = await Promise.all([
      // What it finds wrong with a schema would be its exit code.
      inspect(server, 'tools/list', '--strict'),
      inspect(server, 'tools/call', '--tool-name', 'sum', '--tool-arg', 'a=2', 'b=40'),
    ])
    const names = Object(listed).tools.map(({ name }: { name: string }) => name)
    expect(names).toEqual((await kit().toolsForLlm()).map((tool) => tool.function.name))
    expect(called).toMatchObject({ structuredContent: { sum: 42 } })
  })
})
