import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/errors.ts'
import { parseEndpoint } from '../../../src/transports/http/endpoint.ts'

describe('an address', () => {
  it.each([
    ['https://example.com/mcp?a=b#c', 'https://example.com', '/mcp?a=b', 'example.com:443'],
    ['http://Example.com', 'http://example.com', '/', 'example.com:80'],
    ['http://[::1]:8080/x', 'http://[::1]:8080', '/x', '[::1]:8080'],
  ])('%s is taken apart', (url, origin, path, address) => {
    expect(parseEndpoint(url)).toEqual({ origin, path, address })
  })

  it.each([
    ['unix:/run/a.sock:/mcp', '/run/a.sock', '/mcp'],
    ['unix:/run/a.sock', '/run/a.sock', '/'],
    ['unix:///run/a.sock:/mcp?x=1', '/run/a.sock', '/mcp?x=1'],
    ['unix:/run/a:b.sock:/m', '/run/a:b.sock', '/m'],
  ])('%s names a socket and a path', (url, socketPath, path) => {
    expect(parseEndpoint(url)).toEqual({
      origin: 'http://localhost',
      path,
      address: socketPath,
      socketPath,
    })
  })

  it.each([
    ['example.com/mcp', /is no URL; write http/],
    ['', /is no URL/],
    ['ftp://example.com', /must start with http:, https: or unix:, not with ftp:/],
    ['https://me:hush@example.com/', /put them into headers/],
    ['https://hush@example.com/', /put them into headers/],
    ['unix:relative.sock', /absolute path/],
    ['unix:', /names no socket/],
  ])('%j is refused with what to write instead, and not repeated', (url, reason) => {
    const parse = (): unknown => parseEndpoint(url)
    expect(parse).toThrow(ConfigError)
    expect(parse).toThrow(reason)
    expect(parse).not.toThrow(/hush/)
  })
})
