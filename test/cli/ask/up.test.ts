import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atATerminal } from '../at-a-terminal.ts'
import { interruption, root, troupe } from '../harness.ts'
import { enter, interrupt, ScriptedPerson, type Turn, up } from '../scripted-person.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-up-ask-'))
})
afterAll(() => rm(folder, { recursive: true }))

const yes = up + enter

describe('up --ask', () => {
  it('puts what servers ask of their own accord to the person, one after the other', async () => {
    await configure('ada', 'bob')
    const told = await upWith(
      new ScriptedPerson(['Answer', yes], ['name', `Ann${enter}`], ['Send this', enter], ['Answer', enter]),
      (out) => out.split('answered').length > 2,
    )
    expect(told.exitCode).toBe(0)
    expect(told.shown.match(/(ada|bob) asks: Who are you\?/g)).toHaveLength(2)
    expect(new Set(told.shown.match(/(ada|bob) asks:/g)).size).toBe(2)
    expect(told.out).toMatch(/(ada|bob) \| answered \{"action":"accept","content":\{"name":"Ann"\}\}/)
    expect(told.out).toMatch(/(ada|bob) \| answered \{"action":"decline"\}/)
  })

  it('withdraws a question with the server that asked it', async () => {
    await configure('ada')
    const abort = new AbortController()
    const stops: Turn = ['Answer ada?', '']
    const person = new ScriptedPerson(stops)
    person.output.on('data', () => {
      if (person.left.length === 0) abort.abort(interruption())
    })
    const { exitCode } = await troupe(['up', '--ask'], { cwd: folder, person, interrupt: abort.signal })
    expect(exitCode).toBe(0)
    expect(person.shown).toContain('The question was withdrawn.')
  })

  it.skipIf(process.platform !== 'linux')('at a real terminal, which is given back', async () => {
    await configure('ada')
    const argv = ['up', '--ask', '--verbose', '--config', join(folder, '.mcp.json')]
    const running = atATerminal(argv)
    const turns = [
      ['Answer ada?', yes],
      ['name', `Ann${enter}`],
      ['Send this', enter],
      ['answered {"action":"accept","content":{"name":"Ann"}}', interrupt],
    ]
    let unread = ''
    running.stdout.on('data', (chunk) => {
      unread += stripVTControlCharacters(`${chunk}`)
      const [turn] = turns
      if (!turn || !unread.includes(turn[0] ?? '')) return
      turns.shift()
      unread = ''
      setImmediate(() => running.stdin.write(turn[1] ?? ''))
    })
    const { exitCode, stdout } = await running
    expect(turns).toEqual([])
    expect(exitCode).toBe(0)
    expect(stripVTControlCharacters(stdout)).toMatch(/all stopped\s*$/)
    expect(stdout.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stdout.lastIndexOf('\u001b[?25l'))
  })
})

/** In this process, until that was seen. */
async function upWith(person: ScriptedPerson, isEnough: (out: string) => boolean) {
  const abort = new AbortController()
  let seen = ''
  const onWrite = (text: string) => {
    seen += text
    if (isEnough(seen)) abort.abort(interruption())
  }
  const { exitCode, out } = await troupe(['up', '--ask', '--verbose'], {
    cwd: folder,
    person,
    interrupt: abort.signal,
    onWrite,
  })
  return { exitCode, out, shown: person.shown }
}

function configure(...names: string[]): Promise<void> {
  const server = {
    command: process.execPath,
    args: [`${root}test/fixtures/servers/asks-at-start.mjs`],
  }
  const mcpServers = Object.fromEntries(names.map((name) => [name, server]))
  return writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }))
}
