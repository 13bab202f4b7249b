import { describe, expect, it } from 'vitest'
import { hostOf, matchesHost, readHostPattern } from '../../../src/providers/policy/hosts.ts'
import { RuleSet } from '../../../src/providers/policy/rule-set.ts'

/** Where docs.example.org and everything below example.net may be fetched. */
const rules = new RuleSet([
  { tool: 'web_fetch', decision: 'allow', host: 'docs.example.org' },
  { tool: 'web_fetch', decision: 'allow', host: '*.example.net' },
  { tool: 'web_fetch', decision: 'deny', host: 'evil.example' },
])

const inside = [
  'https://docs.example.org',
  'https://docs.example.org/',
  'http://docs.example.org/a/b?c=d#e',
  'https://DOCS.Example.ORG/',
  'https://docs.example.org:8443/',
  'https://docs.example.org./',
  'HTTPS://docs.example.org/',
  'https://docs.example.org?x=https://evil.example',
  'https://docs.example.org#@evil.example',
  'https://docs.example.org/@evil.example',
  'https://docs.example.org/..//evil.example',
  'https://docs.example.org/%2e%2e/\\evil.example',
  'https://a.example.net/',
  'https://a.b.c.example.net/',
  'https://docs.example.org:/',
  'https://docs.example.org:443',
  'https://xn--bcher-kva.example.net/',
  'https://a_b.example.net/',
  'https://docs.example.org/?u=https://ann@evil.example/%40',
]

const outside = [
  'https://example.org/',
  'https://x.docs.example.org/',
  'https://docs.example.org.other.example/',
  'https://docs.example.orgg/',
  'https://evildocs.example.org/',
  'https://example.net/',
  'https://evilexample.net/',
  'https://example.net.other.example/',
  'https://docs-example.org/',
  'https://other.example/docs.example.org',
  'https://other.example/?docs.example.org',
  'https://other.example#docs.example.org',
  'https://127.0.0.1/',
  'https://[::1]/',
]

/** Nobody can say for certain where these go: never allowed, and denied where anything is. */
const uncertain: readonly unknown[] = [
  'https://docs.example.org@evil.example/',
  'https://evil.example@docs.example.org/',
  'https://ann:pw@docs.example.org/',
  'https://docs.example.org:80@evil.example/',
  'https://docs.example.org\\@evil.example/',
  'https://docs.example.org\\.evil.example/',
  'https:\\\\docs.example.org/',
  'https:/docs.example.org/',
  'https:docs.example.org',
  'https:///docs.example.org/',
  '//docs.example.org/',
  'docs.example.org',
  '/docs.example.org',
  '',
  'https://',
  'ftp://docs.example.org/',
  'file:///docs.example.org/',
  'javascript://docs.example.org/%0aalert(1)',
  'data:text/html,docs.example.org',
  'ws://docs.example.org/',
  'view-source:https://docs.example.org/',
  ' https://docs.example.org/',
  'https://docs.example.org/ ',
  'https://docs.example.org\t.evil.example/',
  'https://docs.example.org\n.evil.example/',
  'ht\ntps://docs.example.org/',
  'https://docs.example.org\u0000.evil.example/',
  'https://docs%2eexample%2eorg/',
  'https://docs.example.org%2f.evil.example/',
  'https://docs.example.org%00.evil.example/',
  'https://docs.example.org%40evil.example/',
  'https://docs\u00ad.example.org/',
  'https://docs\u200b.example.org/',
  'https://docs.example.org../',
  'https://.docs.example.org/',
  'https://docs.example.org:99999/',
  'https://docs.example.org:x/',
  'https://[::1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://１２７.0.0.1/',
  'https://evil.example\uff0f.example.net/',
  'https://evil.example\uff1f.example.net/',
  'https://evil.example\uff03.example.net/',
  'https://evil.example\uff1a80.example.net/',
  'https://{evil.example,a}.example.net/',
  'https://evil.example;.example.net/',
  'https://evil.example,a.example.net/',
  "https://evil.example'.example.net/",
  'https://evil.example!.example.net/',
  'https://a&b.example.net/',
  'https://a$b.example.net/',
  'https://..example.net/',
  'https://a..example.net/',
  'https://[::1%25eth0]/',
  'https://[docs.example.org]/',
  'https://docs.example.org:-1/',
  'https://docs.example.org:8 0/',
  'https://docs.example.org\u2028.evil.example/',
  'https://docs.example.org\u202e/',
  'https://@docs.example.org/',
  'https://:@docs.example.org/',
  'https:\t//docs.example.org/',
  'http://0/',
  'http://0x7f000001/',
  'http://127.0.0.01/',
  'http://１.２.３.４/',
  'blob:https://docs.example.org/x',
  '\u00a0https://docs.example.org/',
  ['https://docs.example.org/'],
  { href: 'https://docs.example.org/' },
  7,
  null,
  undefined,
]

const decision = (url: unknown) => rules.evaluate('web_fetch', { url }).decision

describe('a URL is measured by its host', () => {
  it.each(inside)('inside: %s', (url) => expect(decision(url)).toBe('allow'))
  it.each(outside)('outside: %s', (url) => expect(decision(url)).toBe('ask'))
  it.each(uncertain)('uncertain: %j', (url) => expect(decision(url)).toBe('deny'))

  it('of which more than sixty were measured', () => {
    expect([...inside, ...outside, ...uncertain].length).toBeGreaterThan(60)
  })

  it('and a call without one is uncertain', () => {
    expect(rules.evaluate('web_fetch', {}).decision).toBe('deny')
  })

  it('of that argument alone', () => {
    expect(rules.evaluate('web_fetch', { uri: 'https://docs.example.org/' }).decision).toBe('deny')
  })
})

describe('a host', () => {
  it('is compared in its ASCII form, in the pattern and in the URL', () => {
    expect(readHostPattern('Bücher.example')).toBe('xn--bcher-kva.example')
    expect(hostOf('https://bücher.example/')).toBe('xn--bcher-kva.example')
    expect(hostOf('https://xn--bcher-kva.example/')).toBe('xn--bcher-kva.example')
    expect(hostOf('https://docs。example。org/')).toBe('docs.example.org')
  })

  it('loses the brackets of an address', () => {
    expect(hostOf('https://[2001:DB8::1]:443/')).toBe('2001:db8::1')
    expect(readHostPattern('[2001:db8:0::1]')).toBe('2001:db8::1')
    expect(readHostPattern('2001:db8::1')).toBe('2001:db8::1')
  })

  it('drops one trailing dot', () => {
    expect(readHostPattern('docs.example.org.')).toBe('docs.example.org')
    expect(hostOf('http://127.0.0.1./')).toBe('127.0.0.1')
  })

  it('below a domain is not the domain', () => {
    expect(matchesHost('*.example.org', 'a.example.org')).toBe('yes')
    expect(matchesHost('*.example.org', 'example.org')).toBe('no')
    expect(matchesHost('*.example.org', '.example.org')).toBe('no')
    expect(matchesHost('*.example.org', undefined)).toBe('unknown')
  })
})
