import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError, GrantsFile, type Rule } from '../../../src/index.ts'

const write: Rule = { tool: 'fs_write', decision: 'allow', under: '/w' }
const run: Rule = { tool: 'sh_run', decision: 'deny' }

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grants-'))
  path = join(folder, 'grants.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const stored = async () => JSON.parse(await readFile(path, 'utf8'))

describe('a file of grants', () => {
  it('that is not there is an empty book, and made with its folder at the first grant', async () => {
    path = join(folder, 'new', 'deep', 'grants.json')
    const file = await GrantsFile.open(path)
    expect(file.grants.grants).toEqual([])
    await file.flush()
    await expect(stat(path)).rejects.toThrow('ENOENT')
    file.grants.remember([write])
    await file.flush()
    expect(await stored()).toEqual({ version: 1, grants: [write] })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700)
  })

  it('is read at the start, and holds everything granted since', async () => {
    {
      await using file = await GrantsFile.open(path)
      file.grants.remember([write])
      file.grants.remember([run])
    }
    const again = await GrantsFile.open(path)
    expect(again.grants.grants).toEqual([write, run])
    expect(await readdir(folder)).toEqual(['grants.json'])
  })

  it('keeps what any number of programs grant at the same time', async () => {
    const files = await Promise.all(Array.from({ length: 8 }, () => GrantsFile.open(path)))
    const rules: Rule[] = files.map((_, index) => ({ tool: `tool_${index}`, decision: 'allow' }))
    for (const [index, file] of files.entries()) file.grants.remember([rules[index] as Rule])
    await Promise.all(files.map((file) => file.flush()))
    expect((await stored()).grants).toHaveLength(8)
    expect((await stored()).grants).toEqual(expect.arrayContaining(rules))
    expect(await readdir(folder)).toEqual(['grants.json'])
  })

  it('is its owner’s alone from the first grant on', async () => {
    await writeFile(path, JSON.stringify({ version: 1, grants: [] }), { mode: 0o644 })
    await using file = await GrantsFile.open(path)
    file.grants.remember([write])
    await file.flush()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('keeps what another process wrote, takes it over, and leaves out what was taken out', async () => {
    await using ours = await GrantsFile.open(path)
    await using theirs = await GrantsFile.open(path)
    ours.grants.remember([write])
    await ours.flush()
    theirs.grants.remember([run])
    await theirs.flush()
    expect((await stored()).grants).toEqual([write, run])
    expect(theirs.grants.grants).toEqual([run, write])
    await writeFile(path, JSON.stringify({ version: 1, grants: [run] }))
    ours.grants.remember([{ tool: 'x', decision: 'allow' }])
    await ours.flush()
    expect((await stored()).grants).toEqual([run, { tool: 'x', decision: 'allow' }])
    ours.grants.remember([{ tool: 'y', decision: 'allow' }])
    await ours.flush()
    expect((await stored()).grants.map(({ tool }: Rule) => tool)).toEqual([run.tool, 'x', 'y'])
  })

  it('behind a link is written where it is', async () => {
    const real = join(folder, 'real.json')
    await writeFile(real, JSON.stringify({ version: 1, grants: [] }))
    await symlink(real, path)
    await using file = await GrantsFile.open(path)
    file.grants.remember([write])
    await file.flush()
    expect(JSON.parse(await readFile(real, 'utf8')).grants).toEqual([write])
  })

  it.each([
    ['is not JSON', '{"version": 1, "grants": [', /is not JSON .* mend it, or move it away/],
    ['is empty', '', /is not JSON/],
    ['is no object', '[]', /must hold an object/],
    ['is of another version', '{"version":2,"grants":[]}', /has version 2, and only 1 is known/],
    ['has no grants', '{"version":1}', /must be an array of rules/],
    ['has a bad grant', '{"version":1,"grants":[{"tool":"a","decision":"ask"}]}', /must be allow or deny/],
    ['has a bad rule', '{"version":1,"grants":[{"tool":"a*b","decision":"deny"}]}', /must be a tool's name/],
  ])('that %s is refused by name, and left as it is', async (_what, text, reason) => {
    await writeFile(path, text)
    const failure = await GrantsFile.open(path).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect((failure as ConfigError).message).toMatch(reason)
    expect((failure as ConfigError).path[0]).toBe(path)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it.each([
    [{ onWarn: 'log' }, 'onWarn: must be a function'],
    [{ onWarm: () => {} }, 'onWarm: is no option; did you mean onWarn?'],
  ])('is not opened with %j', async (options, complaint) => {
    await expect(GrantsFile.open(path, options as never)).rejects.toThrow(complaint)
  })

  it('that anybody may change is not believed', async () => {
    await writeFile(path, JSON.stringify({ version: 1, grants: [write] }))
    await chmod(path, 0o666)
    await expect(GrantsFile.open(path)).rejects.toThrow(/can be changed by other users/)
    await chmod(path, 0o600)
    expect((await GrantsFile.open(path)).grants.grants).toEqual([write])
  })

  it.skipIf(process.getuid?.() !== 0)('that belongs to another user is not believed either', async () => {
    await writeFile(path, JSON.stringify({ version: 1, grants: [write] }), { mode: 0o600 })
    await chown(path, 12_345, 12_345)
    await expect(GrantsFile.open(path)).rejects.toThrow(/can be changed by other users/)
  })

  it('that is no file, or larger than any book, is refused unread', async () => {
    await expect(GrantsFile.open(folder)).rejects.toThrow(/is no file/)
    await writeFile(path, ' '.repeat(5 * 2 ** 20))
    await expect(GrantsFile.open(path)).rejects.toThrow(/is larger than 4194304 bytes/)
  })

  it('of thousands of grants takes one more at once', async () => {
    const grants = Array.from(
      { length: 10_000 },
      (_, index): Rule => ({ tool: `t${index}`, decision: 'deny' }),
    )
    await writeFile(path, JSON.stringify({ version: 1, grants }))
    await using file = await GrantsFile.open(path)
    file.grants.remember([write])
    await file.flush()
    expect((await stored()).grants).toHaveLength(10_001)
  })

  it('that became bad is not overwritten; what was granted is in force, and written when it can be', async () => {
    const warnings: string[] = []
    const file = await GrantsFile.open(path, { onWarn: (message) => warnings.push(message) })
    await writeFile(path, 'half a thought')
    file.grants.remember([write])
    await file.flush()
    expect(warnings[0]).toMatch(/^Grants were not saved: .*grants\.json: is not JSON/)
    expect(await readFile(path, 'utf8')).toBe('half a thought')
    expect(file.grants.grants).toEqual([write])
    await rm(path)
    file.grants.remember([run])
    await file.flush()
    expect((await stored()).grants).toEqual([write, run])
  })

  it('that cannot be written harms nobody where the telling fails too', async () => {
    const onWarn = () => {
      throw new Error('There is no log')
    }
    const file = await GrantsFile.open(path, { onWarn })
    await writeFile(path, 'half a thought')
    file.grants.remember([write])
    await file.flush()
    await rm(path)
    file.grants.remember([run])
    await file.flush()
    expect((await stored()).grants).toEqual([write, run])
  })

  it('that cannot be written is told of, and nothing is left lying about', async () => {
    const warnings: string[] = []
    const target = join(folder, 'taken')
    await mkdir(target)
    const file = await GrantsFile.open(join(target, 'grants.json'), {
      onWarn: (message) => warnings.push(message),
    })
    await rm(target, { recursive: true })
    await writeFile(target, '')
    file.grants.remember([write])
    await file.flush()
    expect(warnings).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['taken'])
  })
})
