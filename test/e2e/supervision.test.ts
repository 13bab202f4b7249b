import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, type ElicitResult, ServerDownError } from '../../src/index.ts'
import { connectionPool } from '../../workers/pool.ts'
import { troupe } from '../providers/registry/harness.ts'
import { call, namesOf } from '../providers/registry/provider.ts'
import { fixture } from './harness.ts'
import { Heard } from './heard.ts'
import { legacyScripted } from './scripted.ts'

/** A server that keeps a journal, and what it wrote so far. */
function mortal(...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const journal = join(folder, 'journal')
  const lines = () => readFileSync(journal, 'utf8').trim().split('\n')
  return {
    server: fixture('mortal', journal, ...args),
    ran: (tool: string) => lines().filter((line) => line === tool).length,
  }
}

/** The answer of a call and the end of its question come on two planes. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

const gone = /exited with code 9; its last words: so it goes/

describe('a supervised server that dies', () => {
  it('while nothing is asked of it is back for the next call', async () => {
    const { add, ask, kill, reached } = troupe()
    add(fixture('modern'), { prefix: 'a' })
    expect(await ask('a_echo', { text: 'one' })).toBe('one')
    kill('a')
    expect(await reached('a', 'backingOff', 1)).toMatchObject({
      tools: expect.arrayContaining(['a_echo', 'a_crash']),
      failure: { name: 'ServerGoneError', fields: { signal: 'SIGKILL' } },
    })
    expect(await ask('a_echo', { text: 'two' })).toBe('two')
    await reached('a', 'up', 2)
  })

  it('of being probed is opened by the handshake', async () => {
    const { add, ask, registry, reached } = troupe()
    add(fixture('dies-on-discover'), { prefix: 'old' })
    expect(await ask('old_echo', { text: 'still here' })).toBe('still here')
    expect(await reached('old', 'backingOff', 1)).toMatchObject({ failure: { name: 'ServerGoneError' } })
    expect(registry.providers).toMatchObject([{ generation: 2, restarts: 1, era: 'legacy', state: 'up' }])
  })

  it('in its handshake is started again, and what waited for it is sent once', async () => {
    const { add, ask } = troupe()
    const { server, ran } = mortal('--die-at', 'initialize', '--lives', '2')
    add(server, { prefix: 'm' })
    expect(await ask('m_note')).toBe('noted')
    expect([ran('start'), ran('note')]).toEqual([3, 1])
  })

  it('when it should list its tools is started again, and lists', async () => {
    const { add, registry } = troupe()
    const { server, ran } = mortal('--die-at', 'tools/list')
    add(server, { prefix: 'm' })
    expect(await namesOf(registry)).toContain('m_note')
    expect(ran('start')).toBe(2)
  })

  it('in mid-call fails what is under way with its last words, at once and for good; the rest of the batch runs after', async () => {
    const { add, run, registry } = troupe()
    const { server, ran } = mortal()
    add(server, { prefix: 'm' })
    await registry.toolsForLlm()
    const hanging = run('m_hang')
    const [note, die, after] = await run('m_note', 'm_die', 'm_note')
    expect(note).toMatchObject({ content: 'noted', is_error: false })
    expect(die).toMatchObject({ is_error: true, content: expect.stringMatching(gone) })
    expect(after).toMatchObject({ content: 'noted', is_error: false })
    expect(await hanging).toMatchObject([{ is_error: true, content: expect.stringMatching(gone) }])
    expect(['start', 'note', 'die', 'hang'].map(ran)).toEqual([2, 2, 1, 1])
  })

  it('in a round trip withdraws the question, and what is answered late reaches nobody', async () => {
    const asked = new Heard<{ readonly signal: AbortSignal; answer(result: ElicitResult): void }>()
    const { add, registry, kill, reached, ask, run } = troupe({
      onElicit: (_, { signal }) => new Promise((answer) => asked.hear({ signal, answer })),
    })
    add(fixture('modern'), { prefix: 'a' })
    await registry.toolsForLlm()
    const call = run('a_ask_name')
    const question = await asked.first(() => true)
    kill('a')
    expect(await call).toMatchObject([{ is_error: true, content: expect.stringContaining('SIGKILL') }])
    await aborted(question.signal)
    await reached('a', 'up', 2)
    question.answer({ action: 'accept', content: { name: 'Nobody', greeting: 'Hello' } })
    expect(await ask('a_echo', { text: 'unharmed' })).toBe('unharmed')
    expect(asked.all).toHaveLength(1)
  })

  it('again and again is given up, said once, and starts again by hand', async () => {
    const { add, ask, registry, reached, warnings } = troupe({ onListFailure: 'omit' })
    const { server, ran } = mortal('--die-at', 'initialize', '--lives', '3')
    add(server, { prefix: 'm', maxRestarts: 2, era: 'legacy' })
    add(fixture('echo'), { prefix: 'other' })
    await reached('m', 'exhausted', 3)
    expect(await ask('m_note')).toMatch(
      /^The tool m_note was not called\. The provider m cannot list .* given up after 2 restarts within 60000 ms.* Nothing was done\.$/s,
    )
    expect(await ask('other_echo', { text: 'unharmed' })).toBe('unharmed')
    expect(await namesOf(registry)).not.toContain('m_note')
    expect(registry.providers[0]).toMatchObject({
      state: 'exhausted',
      lastFailure: { name: 'ServerGoneError' },
    })
    expect(warnings.all.filter((text) => text.startsWith('m was given up'))).toHaveLength(1)
    registry.restart('m')
    expect(await ask('m_note')).toBe('noted')
    expect([ran('start'), ran('note')]).toEqual([4, 1])
  })

  it('together with its thread and four others is back with all of them', async () => {
    const { add, registry, reached, run, pids } = troupe()
    const prefixes = ['a', 'b', 'c', 'd', 'e']
    for (const prefix of prefixes) add(fixture('modern'), { prefix })
    await registry.toolsForLlm()
    const hanging = Promise.all(prefixes.map((prefix) => run(`${prefix}_hang`)))
    const before = prefixes.flatMap((prefix) => pids(prefix))
    expect(before).toHaveLength(5)
    await Promise.all(connectionPool().threads.map((thread) => thread.terminate()))
    for (const prefix of prefixes) {
      expect(await reached(prefix, 'backingOff', 1)).toMatchObject({
        failure: { name: 'TransportClosedError' },
      })
      await reached(prefix, 'up', 2)
    }
    for (const results of await hanging)
      expect(results).toMatchObject([{ is_error: true, content: expect.stringContaining('thread') }])
    const echoes = await registry.executeToolCalls(
      prefixes.map((prefix) => call(`${prefix}_echo`, { text: prefix })),
    )
    expect(echoes.map(({ content }) => content)).toEqual(prefixes)
    const after = prefixes.flatMap((prefix) => pids(prefix))
    expect(after).toHaveLength(5)
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
  })
})

describe('a call whose server died', () => {
  it.each([
    ['is made once more when it is a read, and that was asked for', true, 'read_once', 'alive', 2],
    ['is not when it may have changed something', true, 'write_once', gone, 1],
    ['is not when that was not asked for', false, 'read_once', gone, 1],
  ])('%s', async (_, retryReads, tool, text, times) => {
    const { add, registry, ask } = troupe()
    const { server, ran } = mortal()
    add(server, { prefix: 'm', retryReads })
    await registry.toolsForLlm()
    expect(await ask(`m_${tool}`)).toMatch(text)
    expect(ran(tool)).toBe(times)
  })
})

describe('a server that is down', () => {
  const asleep = { backoff: { initialMs: 1_000_000, maxMs: 1_000_000, jitter: 0 } }

  it('keeps its tools published; calls wait for it no longer than downWaitMs', async () => {
    const { add, registry, ask, kill, reached } = troupe(asleep)
    add(fixture('modern'), { prefix: 'a', downWaitMs: 1 })
    await reached('a', 'up', 1)
    const before = await namesOf(registry).catch(() => [])
    kill('a')
    await reached('a', 'backingOff', 1)
    expect(await namesOf(registry)).toEqual(before)
    expect(await ask('a_echo', { text: 'anyone?' })).toMatch(
      /^The server a is down: it did not come up within 1 ms \(downWaitMs\)\. Last it failed so: .*SIGKILL.* Nothing was done/,
    )
  })

  it('lets an abort end the wait', async () => {
    const { add, registry, kill, reached } = troupe(asleep)
    add(fixture('modern'), { prefix: 'a' })
    await registry.toolsForLlm()
    kill('a')
    await reached('a', 'backingOff', 1)
    const abort = new AbortController()
    const results = registry.executeToolCalls([call('a_echo'), call('a_echo')], { signal: abort.signal })
    abort.abort()
    const notMade = { is_error: true, content: expect.stringMatching(/^The call was not made: /) }
    expect(await results).toMatchObject([notMade, notMade])
  })

  it('and never listed its tools fails the list by name', async () => {
    const { add, registry } = troupe()
    add({ command: 'no-such-command-anywhere', args: [] }, { prefix: 'a', maxRestarts: 0 })
    const failure = await registry.toolsForLlm().catch((error: unknown) => error)
    expect(failure).toMatchObject({
      name: 'ProviderFailedError',
      provider: 'a',
      cause: expect.any(ServerDownError),
    })
    expect(failure).toMatchObject({ cause: { cause: { name: 'SpawnFailedError' } } })
  })
})

describe('a server without tools', () => {
  it('leaves the others theirs', async () => {
    const { add, registry } = troupe()
    add(legacyScripted('2025-11-25', {}, { resources: {} }), { prefix: 'a' })
    add(fixture('dies-on-discover'), { prefix: 'b' })
    expect(await namesOf(registry)).toEqual(['b_echo'])
  })
})

describe('a server that is restarted', () => {
  it('by hand ends what was under way, and is another process', async () => {
    const { add, registry, ask, run, pids, reached } = troupe({
      onElicit: () => {
        registry.restart('a')
        return new Promise(() => {})
      },
    })
    add(fixture('modern'), { prefix: 'a' })
    await registry.toolsForLlm()
    const before = pids('a')
    expect(await run('a_ask_name')).toMatchObject([{ is_error: true }])
    expect(await ask('a_echo', { text: 'anew' })).toBe('anew')
    expect(pids('a')).toHaveLength(1)
    expect(pids('a')).not.toEqual(before)
    await reached('a', 'up', 2)
    expect(registry.providers).toMatchObject([{ generation: 2, restarts: 1, lastFailure: undefined }])
  })

  it('is heard again when its tools change', async () => {
    const { add, registry, ask, kill, reached } = troupe()
    add(fixture('modern'), { prefix: 'a' })
    expect(await namesOf(registry)).not.toContain('a_extra')
    kill('a')
    await reached('a', 'up', 2)
    await registry.toolsForLlm()
    const changed = new Promise<void>((resolve) => registry.on('catalogue', () => resolve()))
    await ask('a_touch')
    await changed
    expect(await namesOf(registry)).toContain('a_extra')
  })
})

describe('a subscription to a supervised server', () => {
  it('outlives its processes, and ends with the server', async () => {
    const { add, registry, ask, kill, reached } = troupe()
    add(fixture('modern'), { prefix: 'a', idleStopMs: 1 })
    const subscription = await registry.listen('a', { resourceSubscriptions: ['note:///1'] })
    const notes = subscription[Symbol.asyncIterator]()
    const updated = { done: false, value: { method: 'notifications/resources/updated' } }
    await ask('a_touch')
    expect(await notes.next()).toMatchObject(updated)
    kill('a')
    await reached('a', 'up', 2)
    // The next process knows of it a moment after it is up.
    const next = notes.next()
    let isHeard = false
    void next.then(() => {
      isHeard = true
    })
    while (!isHeard) await ask('a_touch')
    expect(await next).toMatchObject(updated)
    await registry.remove('a')
    expect(await notes.next()).toMatchObject({ done: true })
  })

  it('that the server refuses fails, and one of no server too', async () => {
    const { add, registry } = troupe()
    add(fixture('bare-modern'), { prefix: 'a' })
    registry.add({ toolsForLlm: async () => [], executeToolCalls: async () => [] }, { prefix: 'b' })
    await expect(registry.listen('a', { nothing: true } as never)).rejects.toBeInstanceOf(ConfigError)
    await expect(registry.listen('b', {})).rejects.toBeInstanceOf(ConfigError)
    await expect(registry.listen('c', {})).rejects.toBeInstanceOf(ConfigError)
  })
})

describe('a server that starts', () => {
  it('lazily runs once it is wanted', async () => {
    const { add, registry, pids } = troupe({ start: 'lazy' })
    add(fixture('echo'), { prefix: 'a' })
    add(fixture('echo'), { prefix: 'b' })
    expect(registry.providers).toMatchObject([{ state: 'stopped' }, { state: 'stopped' }])
    expect(pids('a')).toEqual([])
    expect(await namesOf(registry)).toEqual(['a_echo', 'a_big', 'a_records', 'b_echo', 'b_big', 'b_records'])
  })

  it('and is left alone stops, keeps its tools, and starts for the next call', async () => {
    const { add, registry, ask, pids, reached } = troupe()
    add(fixture('echo'), { prefix: 'a', idleStopMs: 1 })
    expect(await ask('a_echo', { text: 'one' })).toBe('one')
    await reached('a', 'stopped', 1)
    expect(pids('a')).toEqual([])
    expect(await namesOf(registry)).toEqual(['a_echo', 'a_big', 'a_records'])
    expect(await ask('a_echo', { text: 'two' })).toBe('two')
    expect(registry.providers).toMatchObject([{ restarts: 0 }])
  })
})

describe('a server that goes', () => {
  it('by remove or replace leaves nothing behind', async () => {
    const { add, registry, ask, pids } = troupe()
    add(fixture('family', 'stubborn'), { prefix: 'a' })
    await ask('a_echo', { text: 'hi' })
    const replaced = pids('a')
    expect(replaced).toHaveLength(2)
    const { command, args } = fixture('echo')
    expect(await registry.replace('a', { command, args })).toBeUndefined()
    expect(pids('a')).toEqual([])
    expect(await ask('a_echo', { text: 'anew' })).toBe('anew')
    expect(await registry.remove('a')).toBeUndefined()
    expect(registry.providers).toEqual([])
  })

  it('with its registry goes last that came first', async () => {
    const { add, registry, children, reached, run } = troupe()
    for (const prefix of ['a', 'b', 'c']) add(fixture('modern'), { prefix })
    await Promise.all(['a', 'b', 'c'].map((prefix) => reached(prefix, 'up', 1)))
    await registry.toolsForLlm()
    const hanging = run('a_hang')
    await registry.close()
    expect(await hanging).toMatchObject([{ is_error: true }])
    const stops = children.all.filter(({ state }) => state === 'stopped').map(({ path }) => path[0])
    expect(stops).toEqual(['c', 'b', 'a'])
  })
})
