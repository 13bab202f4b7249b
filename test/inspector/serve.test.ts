import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/errors.ts'
import { serveInspector } from '../../src/inspector/index.ts'
import { ask, inspect, is, lamp, look } from './harness.ts'

describe('the server of the page', () => {
  it('gives the page, what it needs, and the machines as drawings and as JSON', async () => {
    const { url } = await inspect()
    const page = await ask(url)
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    const linked = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path)
    expect(linked).toEqual(['page.css', 'page.js'])
    for (const path of [...linked, 'machines/connection.svg', 'machines/roundTrip.svg'])
      expect(await ask(`${url}${path}`)).toMatchObject({ status: 200 })
    const { body } = await ask(`${url}machines/connection.json`)
    expect(JSON.parse(body)).toMatchObject({ id: 'connection', initial: 'idle' })
  })

  it('lets nothing of the page come from elsewhere, be framed, kept or read by others', async () => {
    const { url } = await inspect()
    for (const answer of [
      await ask(url),
      await ask(url, { path: '/' }),
      await ask(url, { method: 'POST' }),
    ]) {
      expect(answer.headers).toMatchObject({
        'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    }
    const { body } = await ask(`${url}page.js`)
    expect(body).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
  })

  it.each([
    [403, { headers: { host: 'evil.example' } }],
    [403, { headers: { origin: 'https://evil.example' } }],
    [403, { path: '/' }],
    [403, { path: '/guessed/events' }],
    [405, { method: 'POST' }],
  ])('answers with %i when it is asked as %j', async (status, request) => {
    const { url } = await inspect()
    const answer = await ask(url, request)
    expect(answer.status).toBe(status)
    expect(answer.body).not.toContain(new URL(url).pathname.slice(1, -1))
  })

  it.each([
    '../package.json',
    '..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '....//package.json',
    'machines/../../../package.json',
    'machines/..%5c..%5cpackage.json',
    'page.html',
    'page.js%00',
    '/etc/passwd',
    '__proto__',
    'constructor',
    'machines/',
    'EVENTS',
  ])('knows no other path: %s', async (path) => {
    const { url } = await inspect()
    expect(await ask(url, { path: `${new URL(url).pathname}${path}` })).toMatchObject({
      status: 404,
      body: 'There is no such page\n',
    })
  })

  it('answers HEAD without a body, also of the events, which then are not watched', async () => {
    const { url, observer } = await inspect()
    expect(await ask(url, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    expect(await ask(`${url}events`, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    expect(observer.watching?.isOn).toBe(false)
  })

  it('has another token each time', async () => {
    const [one, other] = [await inspect(), await inspect()]
    const tokenOf = ({ url }: { url: string }) => new URL(url).pathname.slice(1, -1)
    expect(tokenOf(one)).toMatch(/^[\w-]{32}$/)
    expect(tokenOf(other)).not.toBe(tokenOf(one))
  })

  it('can be reached from this machine only', async () => {
    const { url } = await inspect()
    const port = Number(new URL(url).port)
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal }) => !internal)
    const reached = others.map(
      ({ address }) =>
        new Promise<string>((resolve) => {
          const socket = connect({ host: address, port })
          socket.once('error', ({ message }) => resolve(message))
          socket.once('connect', () => resolve(`reached by ${address}`) ?? socket.destroy())
        }),
    )
    for (const outcome of await Promise.all(reached)) expect(outcome).not.toMatch(/^reached/)
    expect(await ask(url)).toMatchObject({ status: 200 })
  })

  it('seats sixteen pages, and no more', async () => {
    const inspector = await inspect()
    await Promise.all(Array.from({ length: 16 }, () => look(inspector)))
    expect(await ask(`${inspector.url}events`)).toMatchObject({ status: 503 })
  })

  it('closes at once with pages open, leaves nothing open, and can be closed again', async () => {
    const inspector = await inspect()
    const page = await look(inspector)
    await page.until(is('picture'))
    await inspector.close()
    await inspector.close()
    await expect(page.until(is('picture'))).rejects.toThrow()
    await expect(ask(inspector.url)).rejects.toThrow(/ECONNREFUSED/)
    // Its actors go on, unseen.
    lamp(inspector.observer).send({ type: 'toggle' })
  })

  it('takes the port it is given, and says which one is taken', async () => {
    const { url } = await inspect()
    const port = Number(new URL(url).port)
    await expect(serveInspector({ port })).rejects.toThrow(ConfigError)
    await expect(serveInspector({ port })).rejects.toThrow(`port: cannot listen on 127.0.0.1:${port}: `)
  })

  it.each([
    [{ port: -1 }, /^port: must be a whole number from 0 to 65535/],
    [{ port: 4777.5 }, /^port: /],
    [{ port: '4777' }, /^port: /],
    [{ maxBacklogBytes: 0 }, /^maxBacklogBytes: /],
    [{ host: '0.0.0.0' }, /^host: is no option/],
  ])('refuses %j', async (options, complaint) => {
    await expect(serveInspector(options as never)).rejects.toThrow(complaint)
  })
})
