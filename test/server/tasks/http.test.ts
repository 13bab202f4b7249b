import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { modern, send, serve, type Wanted } from '../http/harness.ts'
import { working } from './working.ts'

const declaring = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
}

const by = (principal: string, wanted: Wanted): Wanted => ({
  ...wanted,
  headers: { ...wanted.headers, authorization: `Bearer ${principal}` },
})

describe('tasks over HTTP', () => {
  it('are found by whose they are alone: an id is no credential', async () => {
    const { url } = await serve(working(), { authorization: { verify: (token) => token } })
    const ask = async (principal: string, method: string, params: JsonObject) =>
      (await send(url, by(principal, modern(method, params, declaring)))).body
    const { taskId } = (await ask('ada', 'tools/call', { name: 'wait' })).result as { taskId: string }
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const foreign = await ask('bob', method, { taskId, inputResponses: {} })
      const unknown = await ask('bob', method, { taskId: 'unknown', inputResponses: {} })
      expect(foreign).toMatchObject({ error: { code: -32602 } })
      expect(foreign).toEqual(unknown)
    }
    expect(await ask('ada', 'tasks/get', { taskId })).toMatchObject({ result: { status: 'working' } })
  })

  it('are named in a header, which says what the body says', async () => {
    const { url } = await serve(working())
    const { body } = await send(url, modern('tools/call', { name: 'echo' }, declaring))
    const { taskId } = body.result as { taskId: string }
    const get = modern('tasks/get', { taskId }, declaring)
    expect(await send(url, get)).toMatchObject({ status: 200, body: { result: { taskId } } })
    for (const name of [undefined, 'another'])
      expect(await send(url, { ...get, headers: { ...get.headers, 'mcp-name': name } })).toMatchObject({
        status: 400,
        body: { error: { code: -32020 } },
      })
  })

  it('are refused with 400 to a client that takes none', async () => {
    const { url } = await serve(working())
    for (const [method, params] of [
      ['tools/call', { name: 'only' }],
      ['tasks/get', { taskId: 'x' }],
    ] as const)
      expect(await send(url, modern(method, params))).toMatchObject({
        status: 400,
        body: { error: { code: -32021 } },
      })
  })
})
