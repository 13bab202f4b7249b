import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { HookContext, McpClient } from '../../src/index.ts'
import { connectionPool } from '../../workers/pool.ts'
import { ask, connect, failureOf, fixture, hostings, type Server, textOf } from './harness.ts'
import { Heard } from './heard.ts'

const servers: readonly [string, Server][] = [
  ['modern', fixture('bare-modern')],
  ['legacy', fixture('bare-legacy')],
]

/** A hook that answers when it is told to, and how to see it asked and its question withdrawn. */
function patientHook() {
  const asked = new Heard<AbortSignal>()
  const withdrawn = new Heard<'withdrawn'>()
  let give: () => void = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  const onElicit = async (_: unknown, { signal }: HookContext) => {
    signal.addEventListener('abort', () => withdrawn.hear('withdrawn'))
    asked.hear(signal)
    await given
    return { action: 'accept', content: { who: 'me' } } as const
  }
  return { onElicit, asked, withdrawn, give }
}

const any = () => true

/** Questions and states come over two ports: neither waits for the other. */
async function stateOf(client: McpClient, value: unknown): Promise<void> {
  const states = new Heard<unknown>()
  const stop = client.on('state', (snapshot) => states.hear(snapshot.value))
  states.hear(client.state.value)
  await states.first((state) => isDeepStrictEqual(state, value))
  stop()
}

describe.each(hostings)('while a question is open (%s)', (hosting) => {
  it.each(servers)('the time of a call of a %s server stands still', async (era, server) => {
    const { onElicit, asked, give } = patientHook()
    const { client } = connect({ ...server, hosting, onElicit })
    const asking = client.callTool('ask', {}, { timeoutMs: 300 })
    await asked.first(any)
    await stateOf(client, { [era]: 'inputRequired' })
    // Another connection's budget passes meanwhile, twice that of the call.
    const other = connect({ ...server, hosting: 'inline' })
    await failureOf(other.client.callTool('slow', {}, { timeoutMs: 600 }))
    give()
    await asking
    await stateOf(client, { [era]: 'ready' })
  })

  it.each(servers)('other calls of a %s server go on', async (_, server) => {
    const { onElicit, asked, give } = patientHook()
    const { client } = connect({ ...server, hosting, onElicit })
    const asking = client.callTool('ask')
    await asked.first(any)
    expect(textOf(await client.callTool('echo', { text: 'on' }))).toBe('on')
    give()
    await asking
  })

  it.each(servers)('the total time of a call of a %s server passes, and ends it', async (_, server) => {
    const { onElicit, asked, give } = patientHook()
    const { client } = connect({ ...server, hosting, onElicit })
    await client.era()
    const asking = failureOf(client.callTool('ask', {}, { maxTotalTimeoutMs: 400 }))
    await asked.first(any)
    expect(await asking).toMatchObject({ code: 'TIMEOUT', timeoutMs: 400 })
    give()
    expect(textOf(await client.callTool('echo', { text: 'on' }))).toBe('on')
  })

  it('an abort of the call withdraws it', async () => {
    const { onElicit, asked, withdrawn, give } = patientHook()
    const { client } = connect({ ...fixture('bare-modern'), hosting, onElicit })
    const abort = new AbortController()
    const asking = failureOf(client.callTool('ask', {}, { signal: abort.signal }))
    await asked.first(any)
    abort.abort()
    expect(await asking).toMatchObject({ name: 'CancelledError' })
    await withdrawn.first(any)
    give()
    await stateOf(client, { modern: 'ready' })
  })

  it.each(servers)('the death of a %s server withdraws it', async (_, server) => {
    const { onElicit, asked, withdrawn } = patientHook()
    const { client, pids } = connect({ ...server, hosting, onElicit })
    const asking = failureOf(client.callTool('ask'))
    await asked.first(any)
    for (const pid of pids()) process.kill(pid, 'SIGKILL')
    expect(await asking).toMatchObject({ name: 'ServerGoneError' })
    await withdrawn.first(any)
  })

  it.each(servers)('closing the connection to a %s server withdraws it', async (_, server) => {
    const { onElicit, asked, withdrawn } = patientHook()
    const { client } = connect({ ...server, hosting, onElicit })
    const asking = failureOf(client.callTool('ask'))
    await asked.first(any)
    await client.close()
    expect(await asking).toMatchObject({ name: 'TransportClosedError' })
    await withdrawn.first(any)
  })
})

describe('while a question is open', () => {
  it('the death of the connection’s thread withdraws it', async () => {
    const { onElicit, asked, withdrawn } = patientHook()
    const { client } = connect({ ...fixture('bare-modern'), onElicit })
    const asking = failureOf(client.callTool('ask'))
    await asked.first(any)
    await Promise.all(connectionPool().threads.map((thread) => thread.terminate()))
    expect(await asking).toMatchObject({ name: 'TransportClosedError' })
    await withdrawn.first(any)
  })

  it('a legacy server may take it back, and gets no answer', async () => {
    const { onElicit, asked, withdrawn, give } = patientHook()
    const { client } = connect({ ...fixture('bare-legacy'), onElicit })
    const asking = client.callTool('ask')
    await asked.first(any)
    expect(await ask(client, 'cancel_asks')).toMatchObject({ taken: [1] })
    await withdrawn.first(any)
    expect(textOf(await asking)).toBe('taken back')
    give()
    await client.callTool('echo', { text: 'after the hook' })
    expect(await ask(client, 'late_answers')).toEqual({ lateAnswers: [] })
    expect(client.state.value).toEqual({ legacy: 'ready' })
  })

  it('that a legacy server took back, time goes on, whether or not the hook cares', async () => {
    const { onElicit, asked, withdrawn, give } = patientHook()
    const { client } = connect({ ...fixture('bare-legacy'), onElicit })
    const slow = failureOf(client.callTool('slow', {}, { timeoutMs: 500 }))
    const asking = client.callTool('ask')
    await asked.first(any)
    await client.callTool('cancel_asks')
    await asking
    await withdrawn.first(any)
    await client.callTool('echo', { text: 'what came before is known' })
    expect(client.state.value).toEqual({ legacy: 'ready' })
    expect(await slow).toMatchObject({ code: 'TIMEOUT', timeoutMs: 500 })
    give()
  })
})
