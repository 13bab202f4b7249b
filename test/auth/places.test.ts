import { describe, expect, it } from 'vitest'
import { covers } from '../../src/auth/discovery/resource-metadata.ts'
import { resourceMetadataUrls, serverMetadataUrls } from '../../src/auth/discovery/well-known.ts'

describe('metadata is looked for', () => {
  it('of a server below its path, then at its root', () => {
    const urls = (server: string) => resourceMetadataUrls(new URL(server))
    const root = 'https://a.example/.well-known/oauth-protected-resource'
    expect(urls('https://a.example/x/mcp?key=1')).toEqual([`${root}/x/mcp`, root])
    expect(urls('https://a.example')).toEqual([root])
  })

  it('of an issuer in three places, or two where it has no path', () => {
    const urls = (issuer: string) => serverMetadataUrls(new URL(issuer))
    const known = 'https://a.example/.well-known'
    const both = (path: string) => [
      `${known}/oauth-authorization-server${path}`,
      `${known}/openid-configuration${path}`,
    ]
    expect(urls('https://a.example')).toEqual(both(''))
    expect(urls('https://a.example/')).toEqual(both(''))
    const appended = 'https://a.example/t/1/.well-known/openid-configuration'
    expect(urls('https://a.example/t/1')).toEqual([...both('/t/1'), appended])
    expect(urls('https://a.example/t/1/')).toEqual([...both('/t/1'), appended])
  })
})

describe('a token for a resource is one for the server', () => {
  it.each([
    ['https://a.example', 'https://a.example/mcp'],
    ['https://a.example/', 'https://a.example/mcp'],
    ['https://a.example/mcp', 'https://a.example/mcp'],
    ['https://a.example/mcp/', 'https://a.example/mcp'],
    ['https://A.example:443/x', 'https://a.example/x/mcp'],
  ])('%s: %s', (resource, server) => {
    expect(covers(resource, new URL(server))).toBe(true)
  })

  it.each([
    ['https://a.example/mc', 'https://a.example/mcp'],
    ['https://a.example/mcp/deeper', 'https://a.example/mcp'],
    ['https://a.example.evil/', 'https://a.example/mcp'],
    ['https://a.example@evil.example/', 'https://a.example/mcp'],
    ['http://a.example/', 'https://a.example/mcp'],
    ['https://a.example:8443/', 'https://a.example/mcp'],
    ['https://a.example/mcp#x', 'https://a.example/mcp'],
    ['https://a.example/mcp?tenant=1', 'https://a.example/mcp?tenant=2'],
    ['a.example', 'https://a.example/mcp'],
  ])('but not %s: %s', (resource, server) => {
    expect(covers(resource, new URL(server))).toBe(false)
  })
})
