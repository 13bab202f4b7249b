import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fromErrorData, toErrorData } from '../../../src/error-data.ts'
import { HttpError } from '../../../src/errors.ts'
import { explainNetworkFailure } from '../../../src/transports/http/explain-network-failure.ts'
import { json, listening, notification, opened, request, result, serve } from './harness.ts'
import { selfSigned } from './self-signed.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((closed) => server.close(closed))
  return port
}

async function failureOf(url: string) {
  const { transport, record } = await opened(url)
  transport.send(request(1))
  return record.failure(1)
}

describe('a server that cannot be reached', () => {
  it('is named with its port and what to check, and certainly did nothing', async () => {
    const port = await freePort()
    const { failure, wasRefused } = await failureOf(`http://127.0.0.1:${port}/mcp?key=hush`)
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure).toMatchObject({ status: 0, cause: { code: 'ECONNREFUSED' } })
    expect(failure.message).toMatch(`127.0.0.1:${port}: nothing listens there; is the server running`)
    expect(failure.message).not.toMatch(/hush/)
    expect(wasRefused).toBe(true)
  })

  it('is named also when its name leads to several addresses', async () => {
    const port = await freePort()
    const { failure } = await failureOf(`http://localhost:${port}/mcp`)
    expect(failure.message).toMatch(`localhost:${port}: nothing listens there`)
  })

  it('is noise when it was only to be notified', async () => {
    const port = await freePort()
    const { transport, record } = await opened(`http://127.0.0.1:${port}/mcp`)
    transport.send(notification('notifications/x'))
    expect((await record.next('noise')).sample).toMatch(
      /^notifications\/x was not delivered: .*nothing listens/,
    )
  })

  it.each([
    ['ENOTFOUND', /no such host/],
    ['EAI_AGAIN', /is there a network/],
    ['EHOSTUNREACH', /no route/],
    ['UND_ERR_CONNECT_TIMEOUT', /no connection within 10 ms \(connectTimeoutMs\)/],
    ['CERT_HAS_EXPIRED', /no secure connection to example\.com: its certificate has expired/],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      /no secure connection to example\.com: its certificate is for another name/,
    ],
    ['ELSE', /^example\.com:443: whatever/],
  ])('for %s is explained', (code, reason) => {
    const error = Object.assign(new Error('whatever'), { code, cert: { raw: () => 'not for threads' } })
    const facts = { address: 'example.com:443', proxy: undefined, connectTimeoutMs: 10, hasHead: false }
    const failure = explainNetworkFailure(error, facts)
    expect(failure.message).toMatch(reason)
    const crossed = fromErrorData(structuredClone(toErrorData(failure)))
    expect(crossed).toBeInstanceOf(HttpError)
    expect(crossed).toMatchObject({ status: 0, message: failure.message, cause: { code } })
  })
})

describe('a secure server', () => {
  it('whose certificate nobody vouches for is refused, by name and with what to do', async () => {
    const server = createHttpsServer(selfSigned('localhost'))
    const { port } = await serve(({ message }, response) => json(response, result(message.id)), server)
    const { failure, wasRefused } = await failureOf(`https://localhost:${port}/mcp`)
    expect(failure).toMatchObject({ status: 0, cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
    expect(failure.message).toMatch(/no secure connection to localhost: its certificate is self-signed/)
    expect(failure.message).toMatch(/NODE_EXTRA_CA_CERTS/)
    expect(wasRefused).toBe(true)
  })

  it('that does not speak TLS is suspected of that', async () => {
    const { port } = await serve((_, response) => json(response, '{}'))
    const { failure } = await failureOf(`https://127.0.0.1:${port}/mcp`)
    expect(failure.message).toMatch(/does not speak TLS; is it http:\?/)
  })
})

describe('a server on a socket', () => {
  function socketPath(): string {
    const folder = mkdtempSync(join(tmpdir(), 'http-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return join(folder, 'a.sock')
  }

  it('is reached by unix:', async () => {
    const path = socketPath()
    const server = createHttpServer((incoming, response) => {
      incoming.resume()
      json(response, result(1, { path: incoming.url, host: incoming.headers.host }))
    })
    await new Promise<void>((listens) => server.listen(path, listens))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const { transport, record } = await opened(`unix:${path}:/mcp?x=1`)
    transport.send(request(1))
    expect(await record.answer(1)).toMatchObject({ result: { path: '/mcp?x=1', host: 'localhost' } })
    expect(transport.target).toMatch(/^unix:.*a\.sock:\/mcp$/)
  })

  it('is named by its path when it is not there', async () => {
    const path = socketPath()
    const { failure, wasRefused } = await failureOf(`unix:${path}:/mcp`)
    expect(failure.message).toBe(`${path}: there is no such socket; is the server running? (ENOENT)`)
    expect(wasRefused).toBe(true)
  })
})
