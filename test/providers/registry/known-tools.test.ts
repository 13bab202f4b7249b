import { expect, it } from 'vitest'
import type { Tool } from '../../../src/index.ts'
import { KnownTools } from '../../../src/providers/registry/known-tools.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { type Deferred, next } from '../../model/deferred.ts'

it('a list that is told to be out of date while it is under way is published, and another follows', async () => {
  const { tools, server } = known()
  const names = namesOf(tools.list(server))
  tools.expire()
  server.answer('a')
  expect(await names).toEqual(['a'])
  const later = namesOf(tools.list(server))
  server.answer('b')
  expect(await later).toEqual(['b'])
})

it('a server that tells of changes faster than it lists is asked for one list at a time, each of which counts', async () => {
  const { tools, server, changes } = known()
  void tools.list(server)
  for (let round = 1; round <= 10; round++) {
    for (let flood = 0; flood < 100; flood++) {
      tools.expire()
      void tools.list(server)
    }
    expect(server.underWay).toBe(1)
    server.answer(`tool-${round}`)
    await new TestClock().settle()
    expect(tools.get(`tool-${round}`)).toBeDefined()
    expect(changes()).toBe(round)
  }
  server.answer('last')
  await new TestClock().settle()
  expect(server.underWay).toBe(0)
})

it('whoever asks after a change gets a list that began after it', async () => {
  const { tools, server } = known()
  void tools.list(server)
  tools.expire()
  const names = namesOf(tools.list(server))
  server.answer('before')
  await new TestClock().settle()
  server.answer('after')
  expect(await names).toEqual(['after'])
})

it('what a dead generation still answers is not published', async () => {
  const { tools, server: dead } = known()
  const first = namesOf(tools.list(dead))
  dead.answer('a')
  await first
  tools.expire()
  const old = namesOf(tools.list(dead))
  const living = lister()
  const names = namesOf(tools.list(living))
  living.answer('b')
  expect(await names).toEqual(['b'])
  dead.answer('ghost')
  expect(await old).toEqual(['b'])
  expect(tools.get('ghost')).toBeUndefined()
})

it('a list that fails is no end of lists', async () => {
  const { tools, server } = known()
  const failing = tools.list(server)
  tools.expire()
  const names = namesOf(tools.list(server))
  server.fail()
  await expect(failing).rejects.toThrow('out of order')
  await new TestClock().settle()
  server.answer('a')
  expect(await names).toEqual(['a'])
})

function known() {
  let changes = 0
  const tools = new KnownTools(() => {
    changes += 1
  })
  return { tools, server: lister(), changes: () => changes }
}

/** A connection whose lists a test ends. */
function lister() {
  const lists: Deferred<readonly Tool[]>[] = []
  const state = { context: { capabilities: { tools: { listChanged: true } } } }
  return {
    state: state as never,
    listTools: () => next(lists),
    get underWay() {
      return lists.length
    },
    answer: (name: string) => lists.shift()?.resolve([{ name, inputSchema: { type: 'object' } }]),
    fail: () => lists.shift()?.reject(new Error('out of order')),
  }
}

async function namesOf(list: ReturnType<KnownTools['list']>): Promise<readonly string[]> {
  return (await list).map((declaration) => declaration.function.name)
}
