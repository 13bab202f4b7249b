import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { FileTokenStore } from '../../src/auth/store/file-token-store.ts'
import { systemClock } from '../../src/clock.ts'
import { withFileLock } from '../../src/files/file-lock.ts'
import { TestClock } from '../../src/testing/index.ts'
import { deferred } from '../model/deferred.ts'

const holder = fileURLToPath(new URL('../auth/store/holder.ts', import.meta.url))

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locks-'))
  path = join(folder, 'a.lock')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function start(work: 'hold' | 'count') {
  const running = execa(process.execPath, ['--import', 'tsx', holder, work, folder, 'k'], { reject: false })
  onTestFinished(() => void running.kill('SIGKILL'))
  return running
}

const heldTooLong = (holder: string) => new Error(`held by ${holder}`)
const now = { clock: systemClock, timeoutMs: 30_000, heldTooLong }

describe('a lock between processes', () => {
  it('lets one in at a time', async () => {
    const outcomes = await Promise.all([start('count'), start('count'), start('count')])
    expect(outcomes.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      Array(3).fill({ exitCode: 0, stderr: '' }),
    )
    expect(await new FileTokenStore(folder).read('k')).toBe('150')
    const left = (await readdir(folder)).filter((name) => !name.startsWith('scratch'))
    expect(left).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)])
  })

  it('of one that was killed is taken over, by one of those who wait', async () => {
    const running = start('hold')
    await once(running.stdout, 'data')
    const store = new FileTokenStore(folder)
    const log: string[] = []
    const waiting = Array.from({ length: 8 }, (_, index) =>
      store.locked('k', async () => {
        log.push(`in ${index}`)
        await store.write('k', String(index))
        log.push(`out ${index}`)
      }),
    )
    expect(log).toEqual([])
    running.kill('SIGKILL')
    await Promise.all(waiting)
    expect(log).toHaveLength(16)
    for (let turn = 0; turn < 16; turn += 2) expect(log[turn + 1]).toBe(log[turn]?.replace('in', 'out'))
    expect(await readdir(folder)).toHaveLength(1)
  })
})

describe('a lock', () => {
  it.each([
    ['on another machine', JSON.stringify({ id: 'x', pid: 1, machine: 'elsewhere' })],
    ['that says nothing', ''],
    ['that says nonsense', '{"pid":"1"'],
    ['with a name that leads elsewhere', JSON.stringify({ id: '../../x', pid: 1, machine: 'elsewhere' })],
    ['with a process that is none', JSON.stringify({ id: 'x', pid: -1, machine: hostname() })],
  ])('of a holder %s is taken over once it is not touched for long', async (_, text) => {
    await writeFile(path, text)
    const clock = new TestClock()
    const log: string[] = []
    const entering = withFileLock(path, async () => log.push('in'), { clock, timeoutMs: 60_000, heldTooLong })
    await passing(clock, 9_900)
    expect(log).toEqual([])
    await passing(clock, 200)
    await settling(clock, entering)
    expect(await readdir(folder)).toEqual([])
  })

  it('that is touched is not taken over', async () => {
    const clock = new TestClock()
    const [entered, leaving] = [deferred<void>(), deferred<void>()]
    const holding = withFileLock(
      path,
      async () => {
        entered.resolve()
        await leaving.promise
      },
      { clock, timeoutMs: 60_000, heldTooLong },
    )
    await entered.promise
    // As from another machine, where nobody can tell whether the process lives.
    await writeFile(path, (await readFile(path, 'utf8')).replace(hostname(), 'elsewhere'))
    const log: string[] = []
    const waiting = withFileLock(path, async () => log.push('in'), { clock, timeoutMs: 100_000, heldTooLong })
    await passing(clock, 30_000)
    expect(log).toEqual([])
    await rm(path)
    leaving.resolve()
    await holding
    await settling(clock, waiting)
    expect(log).toEqual(['in'])
  })

  it('that was taken over meanwhile is left to its new holder', async () => {
    await withFileLock(path, () => writeFile(path, 'theirs'), now)
    expect(await readFile(path, 'utf8')).toBe('theirs')
  })

  it('that cannot be made is told of by name', async () => {
    path = join(folder, 'missing', 'a.lock')
    await expect(withFileLock(path, async () => {}, now)).rejects.toThrow(`${path}: cannot be made: ENOENT`)
  })

  it('is let go of when what was done under it fails', async () => {
    const failing = withFileLock(path, () => Promise.reject(new Error('lost')), now)
    await expect(failing).rejects.toThrow('lost')
    expect(await withFileLock(path, async () => 'in', now)).toBe('in')
    expect(await readdir(folder)).toEqual([])
  })
})

/** In steps shorter than any wait, each after all files were read that are to be read. */
async function passing(clock: TestClock, ms: number): Promise<void> {
  const untilMs = clock.now() + ms
  while (clock.now() < untilMs) {
    for (let turn = 0; turn < 20; turn++) await readFile(holder)
    await clock.advanceAsync(Math.min(clock.nextInMs ?? 20, untilMs - clock.now()))
  }
}

/** Time goes on until it settles: on a busy machine a file may be read later than any number of others. */
async function settling(clock: TestClock, promise: Promise<unknown>): Promise<void> {
  const outcome = promise.then(() => 'settled')
  while ((await Promise.race([outcome, passing(clock, 20)])) !== 'settled');
  await outcome
}
