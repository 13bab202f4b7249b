import { describe, expect, it } from 'vitest'
import { fixture, notification, opened, request } from './harness.ts'

const servers = [
  'noisy',
  'split-utf8',
  'crlf',
  'bom',
  'huge-line',
  'floods-stderr',
  'silent-on-discover',
  'null-id-on-discover',
  'dies-on-discover',
]

describe.each(servers)('%s', (name) => {
  it('is understood through handshake, list, call and ping', async () => {
    const { transport, record } = await opened(fixture(name))
    transport.send(
      request(1, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
    )
    expect(await record.answer(1)).toMatchObject({
      result: { protocolVersion: '2025-06-18', serverInfo: { name, title: 'Légacy → 🎭' } },
    })
    transport.send(notification('notifications/initialized'))
    transport.send(request(2, 'tools/list'))
    transport.send(request(3, 'tools/call', { name: 'echo', arguments: { text: 'ünïcödé → 🎭' } }))
    transport.send(request(4, 'ping'))
    transport.send(request(5, 'unknown/method'))
    expect(await record.answer(2)).toMatchObject({
      result: { tools: [{ name: 'echo' }, ...(name === 'huge-line' ? [{}, {}] : [])] },
    })
    expect(await record.answer(3)).toMatchObject({
      result: { content: [{ type: 'text', text: 'ünïcödé → 🎭' }] },
    })
    expect(await record.answer(4)).toEqual({ jsonrpc: '2.0', id: 4, result: {} })
    expect(await record.answer(5)).toMatchObject({ error: { code: -32601 } })
    await transport.close()
    expect(await record.failure()).toBeUndefined()
    expect(record.all('noise').length > 0).toBe(name === 'noisy')
  })
})
