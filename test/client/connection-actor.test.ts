import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createActor, createMachine, waitFor } from 'xstate'
import { connectionActor, McpClient, ServerGoneError } from '../../src/index.ts'

const echo = fileURLToPath(new URL('../fixtures/servers/echo.mjs', import.meta.url))

function connect(): McpClient {
  return McpClient.connectStdio({ command: process.execPath, args: [echo] })
}

describe('a connection as an actor of the host', () => {
  it('mirrors the machine in the thread, and is done when it was closed', async () => {
    const actor = createActor(connectionActor, { input: { client: connect() } }).start()
    const ready = await waitFor(actor, ({ value }) => typeof value === 'object')
    expect(ready.value).toEqual({ modern: 'ready' })
    actor.send({ type: 'close' })
    const closed = await waitFor(actor, ({ status }) => status !== 'active')
    expect(closed.status).toBe('done')
    expect(closed.value).toBe('closed')
  })

  it('fails with the typed error when its server dies, as a supervisor sees it', async () => {
    const client = connect()
    const supervisor = createActor(
      createMachine({
        initial: 'up',
        states: {
          up: { invoke: { src: connectionActor, input: { client }, onError: 'down', onDone: 'finished' } },
          down: {},
          finished: {},
        },
      }),
    ).start()
    await client.era()
    process.kill(client.processId ?? Number.NaN, 'SIGKILL')
    const down = await waitFor(supervisor, (snapshot) => !snapshot.matches('up'))
    expect(down.value).toBe('down')
    await expect(client.callTool('echo')).rejects.toBeInstanceOf(ServerGoneError)
    await client.close()
  })

  it('closes the connection when its supervisor stops it', async () => {
    const client = connect()
    const actor = createActor(connectionActor, { input: { client } }).start()
    await client.era()
    actor.stop()
    expect(actor.getSnapshot().status).toBe('stopped')
    await client.close()
    expect(client.processId).toBeUndefined()
  })
})
