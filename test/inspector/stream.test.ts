import { describe, expect, it, onTestFinished } from 'vitest'
import { McpClient, type StdioClientOptions } from '../../src/index.ts'
import type { ActorPicture, InspectorFrame } from '../../src/inspector/frames.ts'
import { emptyModel, withFrame } from '../../visualizations/page/model.ts'
import { inspect, is, lamp, look, modern } from './harness.ts'

describe('what a page is shown', () => {
  it('is everything there is at first, then what changes', async () => {
    const inspector = await inspect()
    const actor = lamp(inspector.observer)
    actor.send({ type: 'toggle' })
    const page = await look(inspector)
    const picture = await page.until(is('picture'))
    expect(picture.actors).toMatchObject([
      { key: 'lamp', machine: 'lamp', states: ['lamp', 'lamp.on'], generation: 1 },
    ])
    expect(picture.log.map(({ kind }) => kind)).toEqual(['event', 'state', 'event', 'state'])
    actor.send({ type: 'toggle', password: 'hunter2' })
    expect(await page.until(is('entry'))).toMatchObject({
      entry: { kind: 'event', type: 'toggle', server: 'lamp', text: '{"password":"***"}' },
    })
    expect(await page.until(is('actor'))).toMatchObject({ actor: { states: ['lamp', 'lamp.off'] } })
  })

  it('tells two systems of the same machine apart', async () => {
    const inspector = await inspect()
    for (let count = 0; count < 2; count += 1) lamp(inspector.observer)
    const { actors } = await (await look(inspector)).until(is('picture'))
    expect(actors.map(({ key }) => key)).toEqual(['lamp', 'lamp 2'])
  })

  it('is a connection in a thread, its wire and its round trips, while the page is open', async () => {
    const inspector = await inspect()
    const page = await look(inspector)
    const client = connect(inspector, { onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }) })
    await client.callTool('ask_name')
    const asked = await page.until(isMessage('tools/call'))
    expect(asked.entry).toMatchObject({ server: 'files', actor: 'files/connection', direction: 'sent' })
    const roundTrip = await page.until(isActor(({ machine }) => machine === 'roundTrip'))
    expect(roundTrip.actor).toMatchObject({ key: 'files/connection/call-1', server: 'files' })
    await page.until(isActor(({ states }) => states.includes('roundTrip.answered')))
  })

  it('keeps the states, and nothing else, of what happened while no page was open', async () => {
    const inspector = await inspect()
    const client = connect(inspector)
    await client.callTool('echo', { text: 'unseen' })
    const page = await look(inspector)
    const { log, phases } = await page.until(is('picture'))
    expect(new Set(log.map(({ kind }) => kind))).toEqual(new Set(['state']))
    expect(phases.map(({ phase }) => phase)).toEqual(['stopped', 'starting', 'up'])
    page.leave()
  })

  it('counts a server that is connected to again as the next generation in the same place', async () => {
    const inspector = await inspect()
    const first = connect(inspector)
    await first.era()
    process.kill(first.processId ?? Number.NaN, 'SIGKILL')
    await expect(first.callTool('hang')).rejects.toThrow()
    await connect(inspector).era()
    const { actors, phases } = await (await look(inspector)).until(is('picture'))
    expect(actors).toMatchObject([
      { key: 'files/connection', generation: 2, states: expect.arrayContaining(['connection.modern.ready']) },
    ])
    expect(phases.map(({ phase, generation }) => `${generation} ${phase}`)).toEqual([
      '1 stopped',
      '1 starting',
      '1 up',
      '1 stopping',
      '1 failed',
      '2 stopped',
      '2 starting',
      '2 up',
    ])
  })

  it('holds the last 500 entries, and the last 5 round trips of a server', async () => {
    const inspector = await inspect()
    const page = await look(inspector)
    const client = connect(inspector, { onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }) })
    const calls = Array.from({ length: 60 }, () => client.callTool('ask_name'))
    await Promise.all(calls)
    for (let ended = 0; ended < 55; ended += 1) await page.until(is('gone'))
    const { log, actors } = await (await look(inspector)).until(is('picture'))
    expect(log).toHaveLength(500)
    expect(actors.filter(({ machine }) => machine === 'roundTrip')).toHaveLength(5)
  })
})

describe('a page that reads too slowly', () => {
  it('costs no memory: it misses frames, is told how many, and is given everything anew', async () => {
    const inspector = await inspect({ maxBacklogBytes: 100_000 })
    const slow = await look(inspector)
    const quick = await look(inspector)
    await quick.until(is('picture'))
    const actor = lamp(inspector.observer)
    const toggles = 8_000
    for (let count = 0; count < toggles; count += 1) {
      actor.send({ type: 'toggle', note: 'x'.repeat(400) })
      // Lets the quick one read on, as the slow one does not.
      if (count % 50 === 0) await quick.next()
    }
    let model = emptyModel
    const lastNumber = 2 + 2 * toggles
    while (model.log.at(-1)?.number !== lastNumber) {
      const frame = await slow.next()
      model = withFrame(model, frame)
      if (frame.kind === 'dropped') model = withFrame(model, await slow.until(is('picture')))
    }
    expect(model.missed).toBeGreaterThan(0)
    expect([...model.actors.values()]).toMatchObject([{ key: 'lamp', states: ['lamp', 'lamp.off'] }])
  })
})

it('a limit smaller than what a socket takes in leaves no page behind for ever', async () => {
  const inspector = await inspect({ maxBacklogBytes: 1 })
  const actor = lamp(inspector.observer)
  const page = await look(inspector)
  await page.until(is('picture'))
  actor.send({ type: 'toggle' })
  actor.send({ type: 'toggle' })
  let number = 0
  while (number < 6) number = (await page.until(is('entry'))).entry.number
})

function connect(
  inspector: Awaited<ReturnType<typeof inspect>>,
  options: Partial<StdioClientOptions> = {},
): McpClient {
  const client = McpClient.connectStdio({
    command: process.execPath,
    args: [modern],
    inspect: inspector.observer,
    inspectAs: 'files',
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

function isMessage(type: string) {
  return (frame: InspectorFrame): frame is Extract<InspectorFrame, { kind: 'entry' }> =>
    frame.kind === 'entry' && frame.entry.kind === 'message' && frame.entry.type === type
}

function isActor(isIt: (actor: ActorPicture) => boolean) {
  return (frame: InspectorFrame): frame is Extract<InspectorFrame, { kind: 'actor' }> =>
    frame.kind === 'actor' && isIt(frame.actor)
}
