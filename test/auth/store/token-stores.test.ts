import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultTokenStore } from '../../../src/auth/store/default-token-store.ts'
import { FileTokenStore } from '../../../src/auth/store/file-token-store.ts'
import { sealingUnder } from '../../../src/auth/store/keychain.ts'
import { KeychainTokenStore } from '../../../src/auth/store/keychain-token-store.ts'
import { MemoryTokenStore } from '../../../src/auth/store/memory-token-store.ts'
import { AuthorizationError, ConfigError } from '../../../src/errors.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { deferred } from '../../model/deferred.ts'

const key = 'https://issuer.example https://server.example/mcp'
const token = '{"access_token":"hunter2-hunter2"}'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sign-ins-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const stores = {
  'in memory': () => new MemoryTokenStore(),
  'in files': () => new FileTokenStore(join(folder, 'new', 'deep')),
  'in sealed files': () => sealed('secret'),
}

function sealed(secret: string): FileTokenStore {
  return new FileTokenStore(join(folder, 'sealed'), { sealing: async () => sealingUnder(secret) })
}

describe.each(Object.entries(stores))('a token store %s', (_, open) => {
  it('keeps what is written until it is removed', async () => {
    const store = open()
    expect(await store.read(key)).toBeUndefined()
    expect(await store.keys()).toEqual([])
    await store.write(key, token)
    await store.write('other', 'ü€\u0000"')
    await store.write(key, `${token} `)
    expect(await store.read(key)).toBe(`${token} `)
    expect(await store.read('other')).toBe('ü€\u0000"')
    expect([...(await store.keys())].sort()).toEqual([key, 'other'])
    await store.remove(key)
    await store.remove(key)
    expect(await store.read(key)).toBeUndefined()
    expect(await store.keys()).toEqual(['other'])
  })

  it('takes any key', async () => {
    const store = open()
    for (const odd of ['', '../../etc/passwd', 'a\u0000b', '__proto__', 'x'.repeat(100_000)]) {
      await store.write(odd, `of ${odd}`)
      expect(await store.read(odd)).toBe(`of ${odd}`)
    }
    expect(await store.keys()).toHaveLength(5)
  })

  it('lets one holder of a key in at a time, in spite of failures, and those of other keys besides', async () => {
    const store = open()
    const log: string[] = []
    const first = deferred<void>()
    const holders = [
      store.locked(key, async () => {
        log.push('first in')
        await first.promise
        log.push('first out')
      }),
      store.locked(key, async () => {
        log.push('second')
        throw new Error('lost')
      }),
      store.locked(key, async () => log.push('third')),
    ]
    const settled = Promise.allSettled(holders)
    await vi.waitFor(() => expect(log).toHaveLength(1))
    expect(await store.locked('other', async () => 'other')).toBe('other')
    first.resolve()
    const outcomes = await settled
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    const at = log.indexOf('first in')
    expect(log[at + 1]).toBe('first out')
    expect([...log].sort()).toEqual(['first in', 'first out', 'second', 'third'])
  })

  it('can be read and written by who holds the key', async () => {
    const store = open()
    await store.locked(key, async () => {
      await store.write(key, token)
      expect(await store.read(key)).toBe(token)
    })
    expect(await store.read(key)).toBe(token)
  })
})

describe.each([
  ['in memory', (options: object) => new MemoryTokenStore(options)],
  ['in files', (options: object) => new FileTokenStore(folder, options)],
] as const)('a lock of a store %s', (_, open) => {
  it('is not waited for without end, and who gave up leaves it to the next', async () => {
    const clock = new TestClock()
    const store = open({ clock, lockTimeoutMs: 5_000 })
    const holding = deferred<void>()
    const entered = deferred<void>()
    const held = store.locked(key, async () => {
      entered.resolve()
      await holding.promise
    })
    await entered.promise
    const late = store.locked(key, async () => 'late').catch((error: unknown) => error)
    const failure = await passing(clock, late)
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(String(failure)).toMatch(/worked on by .* for more than 5000 ms \(lockTimeoutMs\)/)
    holding.resolve()
    await held
    expect(await store.locked(key, async () => 'next')).toBe('next')
  })
})

describe.each<[string, (options: never) => unknown]>([
  ['in memory', (options) => new MemoryTokenStore(options)],
  ['in files', (options) => new FileTokenStore(folder, options)],
  ['in a keychain', (options) => new KeychainTokenStore(folder, options)],
])('a token store %s', (_, open) => {
  it.each([
    [{ lockTimeoutMs: Number.NaN }, 'lockTimeoutMs: must be milliseconds, 0 or more, not NaN'],
    [{ lockTimeoutMs: -1 }, 'lockTimeoutMs: must be milliseconds, 0 or more, not -1'],
    [{ lockTimeout: 5 }, 'lockTimeout: is no option; did you mean lockTimeoutMs?'],
    [{ clock: 'fast' }, 'clock: must be an object'],
    [5, 'options: must be an object'],
  ])('is not made of %j', (options, complaint) => {
    expect(() => open(options as never)).toThrow(ConfigError)
    expect(() => open(options as never)).toThrow(complaint)
  })
})

it.each([
  ['sealing', () => new KeychainTokenStore(folder, { sealing: async () => undefined } as never)],
  ['sealing', () => new FileTokenStore(folder, { sealing: 'yes' as never })],
  ['env', () => defaultTokenStore({ env: 'HOME' as never })],
  ['platform', () => defaultTokenStore({ platform: 5 as never })],
  ['folder', () => defaultTokenStore({ folder: '/' } as never)],
])('a token store with a bad %s is refused', (option, open) => {
  expect(open).toThrow(ConfigError)
  expect(open).toThrow(option)
})

describe('a token store in files', () => {
  it('is its owner’s alone, and leaves nothing else lying about', async () => {
    const own = join(folder, 'own')
    const store = new FileTokenStore(own)
    await store.locked(key, () => store.write(key, token))
    const names = await readdir(own)
    expect(names).toHaveLength(1)
    expect((await stat(own)).mode & 0o777).toBe(0o700)
    expect((await stat(join(own, String(names)))).mode & 0o777).toBe(0o600)
  })

  it('has nothing to read where there is no folder yet, and makes none for it', async () => {
    const store = new FileTokenStore(join(folder, 'not', 'yet'))
    expect(await store.read(key)).toBeUndefined()
    expect(await readdir(folder)).toEqual([])
  })

  it('says so when its folder cannot be made', async () => {
    await writeFile(join(folder, 'taken'), '')
    const store = new FileTokenStore(join(folder, 'taken', 'deep'))
    await expect(store.write(key, token)).rejects.toThrow(ConfigError)
    await expect(store.write(key, token)).rejects.toThrow(/taken.* cannot be made/)
  })

  it('says so when it cannot be written to, and leaves nothing lying about', async () => {
    const store = new FileTokenStore(folder)
    await store.write(key, token)
    const [name = ''] = await readdir(folder)
    await rm(join(folder, name))
    await mkdir(join(folder, name))
    const failure = await store.write(key, token).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toContain(`${folder}: cannot be written to: `)
    expect(await readdir(folder)).toEqual([name])
  })

  it.each([
    ['is cut short', '{"version":1,"key":"k","val'],
    ['is empty', ''],
    ['is of another version', '{"version":2,"key":"k","value":"hunter2"}'],
    ['has no value', '{"version":1,"key":"k"}'],
    ['has another kind of value', '{"version":1,"key":"k","value":{"a":"hunter2"}}'],
  ])(
    'complains of a file that %s by name, not by content, and goes on with the others',
    async (_what, text) => {
      const store = new FileTokenStore(folder)
      await store.write('other', token)
      const [other] = await readdir(folder)
      await store.write('k', token)
      const name = (await readdir(folder)).find((one) => one !== other) ?? ''
      await writeFile(join(folder, name), text)
      const failure = await store.read('k').catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ConfigError)
      expect((failure as ConfigError).path).toEqual([join(folder, name)])
      expect(String(failure)).not.toContain('hunter2')
      expect(await store.keys()).toEqual(['other'])
      expect(await readFile(join(folder, name), 'utf8')).toBe(text)
      await store.remove('k')
      await store.write('k', 'anew')
      expect(await store.read('k')).toBe('anew')
    },
  )
})

describe('a sealed store', () => {
  it('shows nothing of a value on the disk', async () => {
    await sealed('secret').write(key, token)
    const [name = ''] = await readdir(join(folder, 'sealed'))
    expect(await readFile(join(folder, 'sealed', name), 'utf8')).not.toContain('hunter2')
    expect(await sealed('secret').read(key)).toBe(token)
  })

  it('takes what cannot be opened for a sign-in that is over', async () => {
    await sealed('secret').write(key, token)
    expect(await sealed('another secret').read(key)).toBeUndefined()
    expect(await new FileTokenStore(join(folder, 'sealed')).read(key)).toBeUndefined()
  })

  it('does not open a value under another key than it was sealed for', async () => {
    const store = sealed('secret')
    await store.write('mine', 'hunter2')
    const [mine = ''] = await readdir(store.folder)
    await store.write('theirs', 'x')
    const theirs = (await readdir(store.folder)).find((name) => name !== mine) ?? ''
    await writeFile(join(store.folder, theirs), await readFile(join(store.folder, mine)))
    expect(await store.read('theirs')).toBeUndefined()
  })

  it('asks for its seal when it is needed, once, but again after it failed', async () => {
    await mkdir(join(folder, 'sealed'), { mode: 0o700 })
    const sealing = vi.fn().mockRejectedValueOnce(new Error('locked')).mockResolvedValue(sealingUnder('s'))
    const store = new FileTokenStore(join(folder, 'sealed'), { sealing })
    expect(await store.read(key)).toBeUndefined()
    expect(sealing).not.toHaveBeenCalled()
    await expect(store.write(key, token)).rejects.toThrow('locked')
    await store.write(key, token)
    expect(await store.read(key)).toBe(token)
    expect(sealing).toHaveBeenCalledTimes(2)
  })
})

// Elsewhere there is a keychain, and it is the person's own.
describe.skipIf(process.platform !== 'linux')('where there is no keychain', () => {
  beforeEach(() => {
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${folder}/no-bus`)
    vi.stubEnv('XDG_RUNTIME_DIR', folder)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('a store that needs one says so, and what does without', async () => {
    const store = new KeychainTokenStore(join(folder, 'own'))
    const failure = await store.write(key, token).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toMatch(/keychain: does not work: .*; a FileTokenStore does without/s)
    expect(await readdir(join(folder, 'own'))).toEqual([])
  })

  it.each([
    ['XDG_CONFIG_HOME', () => ({ XDG_CONFIG_HOME: folder, HOME: '/nowhere' }), 'mcp-troupe/sign-ins'],
    ['the home folder', () => ({ XDG_CONFIG_HOME: 'relative', HOME: folder }), '.config/mcp-troupe/sign-ins'],
    ['TROUPE_SIGN_INS', () => ({ TROUPE_SIGN_INS: join(folder, 'x'), HOME: '/nowhere' }), 'x'],
  ])('the default one keeps files, where %s says', async (_, env, place) => {
    await defaultTokenStore({ env: env(), platform: 'linux' }).write(key, token)
    expect(await new FileTokenStore(join(folder, place)).read(key)).toBe(token)
  })

  it.each([
    ['darwin', () => ({ HOME: folder }), 'Library/Application Support/mcp-troupe/sign-ins'],
    ['win32', () => ({ APPDATA: folder }), 'mcp-troupe/sign-ins'],
    ['win32', () => ({ USERPROFILE: folder }), 'AppData/Roaming/mcp-troupe/sign-ins'],
  ] as const)('the default one is where %s keeps configuration', async (platform, env, place) => {
    await defaultTokenStore({ env: env(), platform }).write(key, token)
    expect(await new FileTokenStore(join(folder, place)).read(key)).toBe(token)
  })
})

/** Lets time pass until that has come to an end. */
async function passing<Value>(clock: TestClock, work: Promise<Value>): Promise<Value> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  void work.then(over, over)
  while (!isOver) await clock.advanceAsync(clock.nextInMs ?? 0)
  return work
}
