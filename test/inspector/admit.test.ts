import { describe, expect, it } from 'vitest'
import { admit } from '../../src/inspector/admit.ts'

const token = 'a-token-that-nobody-guesses'
const host = '127.0.0.1:4777'

function ask(request: Parameters<typeof admit>[0]) {
  return admit(
    { method: 'GET', url: `/${token}/`, ...request, headers: { host, ...request.headers } },
    4777,
    token,
  )
}

describe('a request', () => {
  it.each([
    ['the page', `/${token}/`, ''],
    ['its events', `/${token}/events`, 'events'],
    ['a drawing, with a query', `/${token}/machines/connection.svg?x=1`, 'machines/connection.svg'],
  ])('for %s is admitted', (_what, url, path) => {
    expect(ask({ url, headers: {} })).toEqual({ kind: 'admitted', path })
    expect(ask({ url, method: 'HEAD', headers: { origin: `http://${host}` } })).toEqual({
      kind: 'admitted',
      path,
    })
    expect(ask({ url, headers: { host: 'localhost:4777' } })).toEqual({ kind: 'admitted', path })
  })

  it('without the last slash is sent to where the page is', () => {
    expect(ask({ url: `/${token}`, headers: {} })).toEqual({ kind: 'moved', location: `/${token}/` })
  })

  it.each([
    'evil.example',
    'evil.example:4777',
    '127.0.0.1',
    '127.0.0.1:80',
    '127.0.0.1:4777.evil.example',
    'localhost.:4777',
    '0.0.0.0:4777',
    '[::1]:4777',
    '',
  ])('by another name is refused, as rebinding a name would bring it: %j', (foreign) => {
    expect(ask({ headers: { host: foreign } })).toMatchObject({ kind: 'refused', status: 403 })
  })

  it('without any name is refused', () => {
    expect(admit({ method: 'GET', url: `/${token}/`, headers: {} }, 4777, token)).toMatchObject({
      status: 403,
    })
  })

  it.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1',
    'http://127.0.0.1:4778',
    'https://127.0.0.1:4777',
    // Ours, but not the one it was reached by.
    'http://localhost:4777',
    '',
  ])('of a page of another origin is refused: %j', (origin) => {
    expect(ask({ headers: { origin } })).toMatchObject({ kind: 'refused', status: 403 })
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', undefined])(
    'with method %s is refused',
    (method) => {
      expect(ask({ method, headers: {} })).toMatchObject({ kind: 'refused', status: 405 })
    },
  )

  it.each([
    '/',
    '',
    '//',
    `/${token}x/`,
    `/${token.slice(1)}/`,
    `/${token.toUpperCase()}/`,
    `//${token}/`,
    `/?token=${token}`,
    `http://${host}/${token}/`,
    '*',
  ])('without the token is refused, and does not learn it: %s', (url) => {
    const refusal = ask({ url, headers: {} })
    expect(refusal).toMatchObject({ kind: 'refused', status: 403 })
    expect(JSON.stringify(refusal)).not.toContain(token)
  })
})
