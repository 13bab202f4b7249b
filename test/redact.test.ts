import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact, redactText } from '../src/redact.ts'

const secret = 'hunter2-and-more-of-it'
/** Where a secret may stand, in a message or in what a machine knows. */
const places: readonly (readonly [place: string, value: unknown])[] = [
  ['a password', { password: secret }],
  ['a key of an API', { apiKey: secret, 'x-api-key': secret, api_key: secret }],
  ['a token, whatever its prefix', { accessToken: secret, refresh_token: secret, token: secret }],
  ['a secret that is an object', { clientSecret: { value: secret } }],
  ['a secret that is a list', { credentials: [secret] }],
  ['a pin that is a number', { pin: secret.length, note: { pwd: secret } }],
  ['any variable of an environment', { env: { HARMLESS: secret } }],
  ['any header', { headers: { accept: secret } }],
  ['headers that are a list', { headers: [['authorization', `Bearer ${secret}`]] }],
  ['the state of a server', { requestState: secret }],
  ['the session of a server', { 'Mcp-Session-Id': secret }],
  ['an argument after its option', { args: ['--api-key', secret, '--verbose'] }],
  ['an argument with its option', { args: [`--token=${secret}`] }],
  ['a text that authorises', `Authorization: Bearer ${secret}`],
  ['an address with a user', `postgres://ada:${secret}@db.example/x`],
  ['the query of an address', `https://example.com/sse?api_key=${secret}&x=1`],
  ['JSON in a text', JSON.stringify({ nested: { password: secret } })],
  ['JSON in JSON in a text', JSON.stringify({ text: JSON.stringify({ apiKey: secret }) })],
  ['an assignment in a text', `DB_PASSWORD=${secret} npm start`],
  ['an error', new Error(`refused: token=${secret}`)],
  ['a key of a well-known shape', `use sk-${secret} or ghp_${secret.replaceAll('-', '')}`],
  ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----`],
  ['what is no plain data', new Map([['password', secret]])],
]

const harmless: readonly unknown[] = [
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hi' } } },
  { _meta: { progressToken: 7 }, maxTokens: 100, inputTokens: 12, sessionLosses: 0, tokens: ['a', 'b'] },
  { password: '', token: null, secret: undefined, hasPassword: true },
  { text: 'The key to it is a token of thanks. https://example.com/a?b=c' },
  [1, -0.5, true, null, 'text', [], {}],
]

describe('redact', () => {
  it.each(places)('masks %s', (_place, value) => {
    const shown = JSON.stringify(redact(value))
    expect(shown).not.toContain(secret)
    expect(shown).not.toContain(secret.replaceAll('-', ''))
    expect(shown).toMatch(/\*\*\*|\[Map\]/)
  })

  it.each(places.filter(([, value]) => typeof value === 'string'))(
    'masks %s also where the text is cut in the midst of it',
    (_place, value) => {
      for (let before = 400; before < 500; before += 1) {
        const shown = JSON.stringify(redact(`${'x'.repeat(before)} ${value}`))
        expect(shown).not.toContain(secret.slice(0, 6))
      }
    },
  )

  it.each(harmless)('leaves what is no secret as it is: %j', (value) => {
    expect(redact(value)).toEqual(value)
  })

  it('shows no more than so much of a text, and says how much is missing', () => {
    expect(redact('x'.repeat(1_000), { maxTextChars: 10 })).toBe('xxxxxxxxxx… 990 more')
  })

  it('shows no more than so many items, and says how many are missing', () => {
    expect(redact([1, 2, 3, 4], { maxItems: 2 })).toEqual([1, 2, '… 2 more'])
    expect(redact({ a: 1, b: 2, c: 3 }, { maxItems: 2 })).toEqual({ a: 1, b: 2, '…': '1 more' })
  })

  it('ends where it is nested too deeply, also in a circle', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(JSON.stringify(redact(circle, { maxDepth: 2 }))).toBe('{"self":{"self":"…"}}')
  })

  it('gives JSON of a bounded size for any value, and changes nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), (value) => {
        const before = JSON.stringify(value)
        const shown = JSON.stringify(redact(value, { maxChars: 200 }))
        expect(shown.length).toBeLessThan(8 * before.length + 1_000)
        expect(JSON.stringify(value)).toBe(before)
      }),
    )
  })

  it.each([
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('no')
        },
      },
    ],
    [
      'a proxy that refuses',
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('no')
          },
        },
      ),
    ],
  ])('shows what cannot be read, %s, as that, and what is beside it', (_, odd) => {
    expect(redact({ odd, fine: 1 })).toEqual({ odd: '[unreadable]', fine: 1 })
  })

  it('is bounded as a whole', () => {
    const wide = Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 'x'.repeat(400)))
    expect(JSON.stringify(redact(wide)).length).toBeLessThan(10_000)
  })
})

describe('redactText', () => {
  it('keeps what says which secret it was', () => {
    expect(redactText('curl -H "Authorization: Bearer abcdef123" https://a:b@c.example/?token=xyz')).toBe(
      'curl -H "Authorization: Bearer ***" https://***@c.example/?token=***',
    )
  })
})
