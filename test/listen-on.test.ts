import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '../src/errors.ts'
import { listenOn } from '../src/listen-on.ts'

function unused() {
  const server = createServer((socket) => socket.end('here'))
  onTestFinished(() => void server.close())
  return server
}

it('listens on a port that is free, or the one it is given', async () => {
  const first = unused()
  const port = await listenOn(first, 0, '127.0.0.1')
  expect(first.address()).toMatchObject({ address: '127.0.0.1', port })
  first.close()
  expect(await listenOn(unused(), port, '127.0.0.1')).toBe(port)
})

it('says what is wrong with an address that cannot be had', async () => {
  const port = await listenOn(unused(), 0, '127.0.0.1')
  const taken = await listenOn(unused(), port, '127.0.0.1').catch((error: unknown) => error)
  expect(taken).toBeInstanceOf(ConfigError)
  expect(taken).toMatchObject({
    path: ['port'],
    message: expect.stringMatching(`^port: cannot listen on 127.0.0.1:${port}: .*EADDRINUSE`),
    cause: { code: 'EADDRINUSE' },
  })
  // An address for documentation, which no machine has.
  await expect(listenOn(unused(), 0, '2001:db8::1')).rejects.toThrow('cannot listen on [2001:db8::1]:0: ')
})

it.each([
  ['', () => {}],
  [', also where that throws', fail],
])('goes on when a connection cannot be taken, and tells of it ever more rarely%s', async (_, tell) => {
  const server = unused()
  const warnings: string[] = []
  const port = await listenOn(server, 0, '127.0.0.1', (message) => {
    warnings.push(message)
    tell()
  })
  for (let count = 1; count <= 10; count++) server.emit('error', new Error('accept EMFILE'))
  expect(warnings).toEqual(
    ['', ' (2 so far)', ' (4 so far)', ' (8 so far)'].map(
      (count) => `a connection could not be taken${count}: accept EMFILE`,
    ),
  )
  expect(server.address()).toMatchObject({ port })
})

function fail(): never {
  throw new Error('a fault of the host')
}
