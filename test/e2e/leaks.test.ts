import { readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { processLedger } from '../../workers/process-ledger.ts'
import { connect, failureOf, fixture, hostings, pathOf } from './harness.ts'
import { Heard } from './heard.ts'
import { startHost } from './hosts.ts'
import { notification, scripted } from './scripted.ts'

const events = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'warning']

/** What this process holds, its threads included, once the event loop has let go of the handles that were closed. */
async function held() {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
  return {
    resources: process.getActiveResourcesInfo().sort(),
    descriptors: readdirSync('/proc/self/fd').length,
    listeners: events.map((event) => process.listenerCount(event)),
  }
}

/** What is held now and was not before. Less is no leak: the test runner lets go of things of its own. */
async function grownSince(before: Awaited<ReturnType<typeof held>>) {
  const now = await held()
  const known = [...before.resources]
  return {
    resources: now.resources.filter((name) => {
      const at = known.indexOf(name)
      if (at >= 0) known.splice(at, 1)
      return at < 0
    }),
    descriptors: Math.max(0, now.descriptors - before.descriptors),
    listeners: now.listeners.map((count, event) => Math.max(0, count - (before.listeners[event] ?? 0))),
  }
}

const nothing = { resources: [], descriptors: 0, listeners: events.map(() => 0) }

/** Says something when it is asked for a subscription, but not what it should. */
const unacknowledging = scripted({
  'subscriptions/listen': [[notification('notifications/message', { level: 'info', data: 'hm' })]],
})

/** One life of a connection in which everything is used. */
async function useAll(
  hosting: (typeof hostings)[number],
  server = fixture('bare-modern', '--ttl', '3600000'),
) {
  const onElicit = () => ({ action: 'accept', content: { who: 'me' } }) as const
  const { client } = connect({ ...server, hosting, onElicit, logLevel: 'debug', onLog: () => undefined })
  const abort = new AbortController()
  const subscription = await client.listen({ toolsListChanged: true })
  const slow = failureOf(client.callTool('slow', {}, { signal: abort.signal, onProgress: () => undefined }))
  await client.callTool('tick')
  abort.abort()
  await slow
  await failureOf(client.callTool('slow', {}, { timeoutMs: 1, maxTotalTimeoutMs: 60_000 }))
  await Promise.all([client.callTool('ask'), client.listTools(), client.readResource('bare:///a')])
  await subscription.close()
  const left = client.listen({ promptsListChanged: true })
  const open = failureOf(client.callTool('slow', {}, { maxTotalTimeoutMs: 60_000 }))
  await left
  await client.close()
  await open
}

describe.each(hostings)('after closing (%s)', (hosting) => {
  it('nothing is left of a connection: no timer, pipe, port, listener or process', async () => {
    await useAll(hosting)
    const before = await held()
    for (const _life of [1, 2]) await useAll(hosting)
    expect(await grownSince(before)).toEqual(nothing)
    expect(processLedger.size).toBe(0)
  })

  it('nothing is left of a connection that failed', async () => {
    const failing = [
      fixture('bare-legacy', '--refuse'),
      fixture('dies-on-discover'),
      { command: 'no-such-command' },
      fixture('bare-legacy', '--silent-initialize'),
    ]
    const failAll = async () => {
      for (const server of failing) {
        const { client } = connect({ ...server, hosting, requestTimeoutMs: 100 })
        await failureOf(client.listTools())
        await client.close()
      }
    }
    await failAll()
    const before = await held()
    await failAll()
    expect(await grownSince(before)).toEqual(nothing)
    expect(processLedger.size).toBe(0)
  })

  it('nothing is left of a subscription that was given up before it began', async () => {
    const giveUp = async () => {
      const { client } = connect({ ...unacknowledging, hosting })
      const begun = new Heard<string>()
      client.on('notification', ({ method }) => begun.hear(method))
      const abort = new AbortController()
      const listening = failureOf(client.listen({}, { signal: abort.signal }))
      await begun.first(() => true)
      abort.abort()
      await listening
      await client.close()
    }
    await giveUp()
    const before = await held()
    await giveUp()
    expect(await grownSince(before)).toEqual(nothing)
  })
})

describe('a host that connects and closes again and again', () => {
  it.each([
    [200, 'worker'],
    [30, 'inline'],
  ])(
    '%i times holds no more than after ten, warns of nothing, and ends by itself (%s)',
    async (times, hosting) => {
      const host = startHost('cycles', [String(times), hosting, pathOf('../fixtures/servers/echo.mjs')])
      expect(await host.ended).toEqual({ code: 0, signal: null })
      expect(host.stderr.all).toEqual([])
      const { first, last } = JSON.parse(host.stdout.all.join(''))
      expect(last).toEqual(first)
    },
    60_000,
  )
})
