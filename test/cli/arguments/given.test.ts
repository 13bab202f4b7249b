import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readGiven } from '../../../src/cli/arguments/given.ts'
import type { Io } from '../../../src/cli/io.ts'

const io = (stdin = '') => ({ readStdin: async () => stdin }) as Io

async function given(words: readonly string[], stdin?: string) {
  const { values, texts } = await readGiven(words, io(stdin))
  return { values: Object.fromEntries(values), texts: Object.fromEntries(texts) }
}

it('keeps key=value as text, up to the end', async () => {
  expect(await given(['url=http://a/?b=c', 'empty=', 'key:with:colons=1'])).toEqual({
    values: {},
    texts: { url: ['http://a/?b=c'], empty: [''], 'key:with:colons': ['1'] },
  })
})

it('collects the values of a key that is given several times', async () => {
  expect(await given(['a=1', 'b=x', 'a=2'])).toEqual({ values: {}, texts: { a: ['1', '2'], b: ['x'] } })
})

it('parses key:=json', async () => {
  expect(await given(['a:=[1,{"b":null}]', 'c:="="'])).toEqual({
    values: { a: [1, { b: null }], c: '=' },
    texts: {},
  })
})

it('takes JSON objects from the command line, a file and stdin, the later over the earlier', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'arguments.json')
  await writeFile(file, '{"a": 2, "b": 2}')
  const { values } = await given(['{"a": 1, "b": 1, "c": 1}', `@${file}`, '-'], '{"b": 3}')
  expect(values).toEqual({ a: 2, b: 3, c: 1 })
})

it('harms no prototype', async () => {
  const { values, texts } = await readGiven(['__proto__=1', '{"__proto__": {"polluted": true}}'], io())
  expect([...texts.keys(), ...values.keys()]).toEqual(['__proto__', '__proto__'])
  expect({}).not.toHaveProperty('polluted')
})

it.each([
  ['hi', '"hi" is no argument. Write key=value, as in --help.'],
  ['=1', '"=1" is no argument.'],
  [':=1', '":=1" is no argument.'],
  ['a:={', 'a:={ is no valid JSON'],
  ['{"a"', 'the argument is no valid JSON'],
  ['-', 'stdin is no valid JSON'],
  ['@no-such-file.json', 'Cannot read the arguments in no-such-file.json: ENOENT'],
])('refuses %s and says why', async (word, message) => {
  await expect(given([word])).rejects.toThrow(message)
  await expect(given([word])).rejects.toMatchObject({ name: 'UsageError', code: 'USAGE' })
})

it('refuses JSON that is no object', async () => {
  await expect(given(['-'], '[1]')).rejects.toThrow('stdin must be a JSON object of arguments')
})
