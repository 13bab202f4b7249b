import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture, json, root, troupe } from './harness.ts'
import { down, enter, interrupt, ScriptedPerson, type Turn, up } from './scripted-person.ts'

const allowed: Turn = ['Allow this call', up + up + enter]
const answered: Turn = ['Answer the server?', up + enter]
const sent: Turn = ['Send this', enter]
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-ask-'))
  const server = (name: string) => ({
    command: process.execPath,
    args: [`${root}test/fixtures/servers/${name}.mjs`],
  })
  await writeFile(
    join(folder, '.mcp.json'),
    JSON.stringify({
      mcpServers: { m: server('modern'), sh: server('pretend-shell') },
      troupe: { rules: [], grantsFile: 'grants.json' },
    }),
  )
})

afterAll(() => rm(folder, { recursive: true }))

describe('a permission question', () => {
  it('shows the call, its reason below, and is answered for once', async () => {
    const person = new ScriptedPerson(allowed)
    const argv = ['call', 'echo', 'text=hi\u001b]0;x\u0007', 'reason=to greet', '--ask', ...fixture('modern')]
    expect(await troupe(argv, { person })).toMatchObject({ exitCode: 0 })
    expect(person.shown).toMatch(
      /echo\n {2}text: "hi\\u001b\]0;x\\u0007"\n {2}reason {2}to greet\n {2}no rule speaks/,
    )
    expect(person.raw).not.toContain('\u0007')
  })

  it('allows nothing by Enter or ^C alone', async () => {
    for (const keys of [enter, interrupt]) {
      const person = new ScriptedPerson(['Allow this call', keys])
      const { exitCode, err } = await troupe(['call', 'echo', '--ask', ...fixture('modern')], { person })
      expect({ exitCode, err }).toEqual({
        exitCode: 6,
        err: 'error: echo was not called: you did not allow it.\n',
      })
    }
  })

  it('is remembered for good, in a file for its owner alone', async () => {
    const person = new ScriptedPerson(['Always allow m_echo', up + enter])
    const argv = ['call', 'm', 'echo', 'text=hi']
    const around = { cwd: folder, person }
    expect(await troupe([...argv, '--ask'], around)).toMatchObject({ exitCode: 0, out: 'hi\n' })
    const path = join(folder, 'grants.json')
    expect(json(await readFile(path, 'utf8'))).toEqual({
      version: 1,
      grants: [{ tool: 'm_echo', decision: 'allow' }],
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await troupe(argv, { cwd: folder })).toMatchObject({ exitCode: 0, out: 'hi\n' })
  })

  it('about danger says so, and offers nothing for good that would be allowed', async () => {
    const person = new ScriptedPerson(['Danger. Allow this call of sh_run?', up + enter])
    const argv = ['call', 'sh', 'run', '{"command":"sudo","args":["ls"]}', '--ask']
    expect(await troupe(argv, { cwd: folder, person })).toMatchObject({ out: 'would have run sudo ls\n' })
    expect(person.shown).toContain('danger: runs as another user')
    expect(person.shown).not.toContain('Always allow')
  })

  it('about a place that cannot be judged offers nothing for good that would be allowed', async () => {
    const person = new ScriptedPerson(['Allow this call of m_fail?', enter])
    const argv = ['call', 'm', 'fail', '{"path":"../x"}', '--ask']
    expect(await troupe(argv, { cwd: folder, person })).toMatchObject({ exitCode: 6 })
    expect(person.shown).toContain('where it leads cannot be judged')
    expect(person.shown).toContain('Always deny m_fail')
    expect(person.shown).not.toContain('Always allow')
  })

  it('wants a terminal', async () => {
    for (const argv of [
      ['call', 'm', 'echo', '--ask'],
      ['up', '--ask'],
    ]) {
      const { exitCode, err } = await troupe(argv, { cwd: folder })
      expect(exitCode).toBe(1)
      expect(err).toMatch(/^error: --ask wants a terminal to ask at: /)
    }
  })
})

describe("a server's form", () => {
  const properties = {
    word: { type: 'string', title: 'Word', minLength: 3 },
    mail: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
    sure: { type: 'boolean' },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    tags: { type: 'array', maxItems: 1, items: { type: 'string', enum: ['a', 'b'] } },
  }

  it('asks for every kind of field until each is right, and sends what was answered', async () => {
    const answer = await ask(
      { properties, required: ['word', 'sure', 'size', 'tags'] },
      answered,
      ['Word (required)', `hi${enter}`],
      ['At least 3 characters, not 2', `!${enter}`],
      ['mail', `ada${enter}`],
      ['an address like', `@b.org${enter}`],
      ['count', `0${enter}`],
      ['Must be 9 or less', `\u007f${enter}`],
      ['sure', enter],
      ['size', down + enter],
      ['tags', ` ${down} ${enter}`],
      ['Choose at most 1', ` ${enter}`],
      sent,
    )
    expect(answer).toEqual({
      action: 'accept',
      content: { word: 'hi!', mail: 'ada@b.org', count: 5, sure: true, size: 'l', tags: ['b'] },
    })
  })

  it('may be left out where nothing is required', async () => {
    const { count: _, ...others } = properties
    const keys = enter
    const turns = ['Word', 'mail', 'sure', 'size', 'tags'].map((label): Turn => [label, keys])
    expect(await ask({ properties: others }, answered, ...turns, sent)).toEqual({
      action: 'accept',
      content: {},
    })
  })

  it('may be declined or cancelled, which are not the same', async () => {
    expect(await ask({ properties }, ['Answer the server?', enter])).toEqual({ action: 'decline' })
    expect(await ask({ properties }, ['Answer the server?', interrupt])).toEqual({ action: 'cancel' })
    expect(await ask({ properties }, answered, ['Word', interrupt])).toEqual({ action: 'cancel' })
  })

  it('presses no keys by its defaults', async () => {
    const trap = { type: 'string', default: 'yes\r\u001b[2J' }
    const person = new ScriptedPerson(allowed, answered, ['trap', `no${enter}`], sent)
    expect(await askWith(person, { properties: { trap } })).toMatchObject({ content: { trap: 'no' } })
    expect(person.raw).not.toContain('\u001b[2J')
  })
})

describe('a page that a server wants opened', () => {
  const argv = ['call', 'ask_url', '--ask', ...fixture('modern')]

  it('is opened when the person has seen where it leads, and says so', async () => {
    const person = new ScriptedPerson(allowed, ['Go there', up + up + enter])
    expect(await troupe(argv, { person })).toMatchObject({ out: 'page: accept\n' })
    expect(person.opened).toEqual(['https://example.com/sign-in'])
    expect(person.shown).toContain(
      'asks: Sign in\n  url   https://example.com/sign-in\n  host  example.com\n',
    )
  })

  it('is not opened by Enter alone', async () => {
    const person = new ScriptedPerson(allowed, ['Go there', enter])
    expect(await troupe(argv, { person })).toMatchObject({ out: 'page: decline\n' })
    expect(person.opened).toEqual([])
  })
})

async function ask(requestedSchema: object, ...turns: Turn[]): Promise<unknown> {
  const person = new ScriptedPerson(allowed, ...turns)
  const answer = await askWith(person, requestedSchema)
  expect(person.left).toEqual([])
  return answer
}

/** Puts a form to them by a server that answers with what came back. */
async function askWith(person: ScriptedPerson, requestedSchema: object): Promise<unknown> {
  const params = { message: 'Well?', requestedSchema: { type: 'object', ...requestedSchema } }
  const argv = ['call', 'ask', `params:=${JSON.stringify(params)}`, '--ask', ...fixture('bare-legacy')]
  const { out, err } = await troupe(argv, { person })
  expect(err).toBe('')
  return (json(out) as { result: unknown }).result
}
