import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { connectionMachine, type HandshakeAnswer } from '../../machines/index.ts'
import { fromErrorData } from '../../src/error-data.ts'
import { TestClock } from '../../src/testing/index.ts'
import { deferred } from '../model/deferred.ts'
import { LifeDriver } from '../model/life-driver.ts'
import { lifeInput } from '../model/life-model.ts'
import { handshakeAnswers, probeAnswers } from '../model/probe-answers.ts'

const done = (actor: 'opening' | 'probing' | 'legacyHandshake' | 'closing', output?: unknown) => ({
  type: `xstate.done.actor.0.connection.${actor}` as const,
  output,
})
const isModern = done('probing', { outcome: probeAnswers['names first'], afterMs: 1 })
const asked = { type: 'call.inputRequired', call: 'call-1', asks: 1 } as const

async function modernConnection(): Promise<LifeDriver> {
  const driver = new LifeDriver()
  for (const event of [{ type: 'open' } as const, done('opening'), isModern]) await driver.act(event)
  return driver
}

describe('a connection', () => {
  it('gives the handshake no budget when requests have none', async () => {
    const clock = new TestClock()
    const handshake = deferred<HandshakeAnswer>()
    const machine = connectionMachine.provide({
      actors: {
        openTransport: fromPromise(async () => {}),
        initialize: fromPromise(() => handshake.promise),
      },
    })
    const input = { ...lifeInput, era: 'legacy', requestTimeoutMs: 0 } as const
    const actor = createActor(machine, { input, clock }).start()
    actor.send({ type: 'open' })
    await clock.advanceAsync(1_000_000)
    expect(actor.getSnapshot().value).toBe('legacyHandshake')
    actor.stop()
  })

  it('begins a round trip also while the server is probed again, and retries nothing before it is known', async () => {
    const driver = await modernConnection()
    await driver.act({ type: 'version.refused' })
    await driver.act(asked)
    expect(driver.underWay).toEqual(['probing', 'call-1 collects'])
    await driver.act(isModern)
    expect(driver.snapshot.value).toEqual({ modern: 'inputRequired' })
    await driver.act({
      type: 'roundTrip.settled',
      call: 'call-1',
      beganAs: 'question',
      outcome: { kind: 'answered' },
    })
    expect(driver.snapshot.value).toEqual({ modern: 'ready' })
    expect(driver.settled).toEqual([{ call: 'call-1', outcome: { kind: 'answered' } }])
  })

  it('starts no round trip once it is closing', async () => {
    const driver = await modernConnection()
    await driver.act({ type: 'close' })
    await driver.act(asked)
    expect(driver.underWay).toEqual(['closing'])
    expect(driver.snapshot.context.waiting).toBe(0)
  })

  it('gives up a round trip that it does not know without harm', async () => {
    const driver = await modernConnection()
    await driver.act({ type: 'call.abandoned', call: 'call-9' })
    expect(driver.snapshot.value).toEqual({ modern: 'ready' })
    expect(driver.settled).toEqual([])
  })

  it('never counts fewer than none waiting', async () => {
    const driver = await modernConnection()
    await driver.act({ type: 'question.settled' })
    await driver.act({ type: 'question.opened' })
    expect(driver.snapshot.value).toEqual({ modern: 'inputRequired' })
  })

  it('keeps the first failure, whatever the closing wire says after it', async () => {
    const driver = new LifeDriver()
    for (const event of [{ type: 'open' } as const, done('opening')]) await driver.act(event)
    await driver.act(done('probing', { outcome: probeAnswers['refused, names unknown'], afterMs: 1 }))
    await driver.act({ type: 'wire.closed', failure: undefined })
    await driver.act(done('closing'))
    expect(driver.snapshot.value).toBe('closed')
    expect(driver.snapshot.context.failure?.name).toBe('UnsupportedVersionError')
  })

  it('probes afresh after a refused version: what was asked before is forgotten, what was found out is kept', async () => {
    const driver = await modernConnection()
    await driver.act({ type: 'version.refused' })
    expect(driver.snapshot.context.asked).toHaveLength(1)
    await driver.act(done('probing', { outcome: probeAnswers['method not found'], afterMs: 1 }))
    await driver.act(
      done('legacyHandshake', { outcome: handshakeAnswers['agrees on 2024-11-05'], afterMs: 1 }),
    )
    const { value, context } = driver.snapshot
    expect(value).toEqual({ legacy: 'ready' })
    expect(context).toMatchObject({ era: 'legacy', version: '2024-11-05', supportedVersions: [] })
    expect(context.evidence.map(({ verdict }) => verdict)).toEqual(['modern', 'legacy', 'agreed'])
  })

  it('shows itself as plain data', async () => {
    const driver = await modernConnection()
    const { context } = driver.snapshot
    expect(structuredClone(context)).toEqual(context)
    expect(JSON.stringify(context).length).toBeLessThan(2_000)
  })

  it('shows itself in few words, however many a server has', async () => {
    const driver = new LifeDriver()
    for (const event of [{ type: 'open' } as const, done('opening')]) await driver.act(event)
    const error = { code: 1, message: 'x'.repeat(1_000_000) }
    await driver.act(done('probing', { outcome: { kind: 'error', error }, afterMs: 1 }))
    expect(JSON.stringify(driver.snapshot.context).length).toBeLessThan(5_000)
  })

  it('fails, and says why, when it was given nothing to open', async () => {
    const actor = createActor(connectionMachine, { input: lifeInput, clock: new TestClock() }).start()
    const closed = new Promise((resolve) => actor.subscribe({ complete: () => resolve(undefined) }))
    actor.send({ type: 'open' })
    await closed
    const { failure } = actor.getSnapshot().context
    expect(failure && fromErrorData(failure).message).toBe('openTransport is not provided')
  })
})

describe('the statecharts', () => {
  const root = new URL('../../', import.meta.url)
  const folder = new URL('machines/', root)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )

  it.each(files)('%s imports no wire, no thread, no clock and nothing of node', (name) => {
    const file = new URL(name.replaceAll('\\', '/'), folder)
    const source = readFileSync(file, 'utf8')
    const specifiers = [...source.matchAll(/from '([^']+)'/g)].map(([, specifier = '']) => specifier)
    expect(specifiers.length > 0).toBe(/^(import|export \*|} from)/m.test(source))
    const imports = specifiers.map((specifier) =>
      specifier.startsWith('.') ? new URL(specifier, file).href.slice(root.href.length) : specifier,
    )
    const allowed = /^xstate$|^machines\/|^src\/(protocol\/|paths\/|errors\.ts|error-data\.ts)/
    expect(imports.filter((path) => !allowed.test(path))).toEqual([])
  })
})
