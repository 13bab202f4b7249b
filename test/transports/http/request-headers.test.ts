import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/errors.ts'
import { RequestHeaders } from '../../../src/transports/http/request-headers.ts'

describe('the headers of a user', () => {
  it('come before our own, in lower case', () => {
    expect(new RequestHeaders({ 'X-One': '1' }).before(['accept', 'x'])).toEqual([
      'x-one',
      '1',
      'accept',
      'x',
    ])
  })

  it('yield to those of the hook, whatever their case', () => {
    const headers = new RequestHeaders({ authorization: 'old', x: '1' }, () => ({
      Authorization: 'new',
      y: '2',
    }))
    expect(headers.before([])).toEqual(['authorization', 'new', 'x', '1', 'y', '2'])
  })

  it('are asked for again before each request', () => {
    let count = 0
    const headers = new RequestHeaders({}, () => ({ n: String(++count) }))
    expect([headers.before([]), headers.before([])]).toEqual([
      ['n', '1'],
      ['n', '2'],
    ])
  })

  it('are waited for when the hook takes its time', async () => {
    const headers = new RequestHeaders({ x: '1' }, async () => ({ x: '2' }))
    await expect(headers.before([])).resolves.toEqual(['x', '2'])
  })

  it.each([
    ['bad name', 'x', /no name of a header/],
    ['', 'x', /no name of a header/],
    ['Content-Length', '1', /set by the transport/],
    ['Mcp-Session-Id', '1', /set by the transport/],
    ['mcp-param-x', '1', /set by the transport/],
    ['x', 'a\r\nb: c', /line end/],
    ['x', '🎭', /no header may hold/],
    ['x', 1 as unknown as string, /must be a string/],
  ])('%j: %j are refused', async (name, value, reason) => {
    expect(() => new RequestHeaders({ [name]: value })).toThrow(ConfigError)
    expect(() => new RequestHeaders({ [name]: value })).toThrow(reason)
    const hooked = new RequestHeaders({}, async () => ({ [name]: value }))
    await expect(hooked.before([])).rejects.toThrow(reason)
  })
})
