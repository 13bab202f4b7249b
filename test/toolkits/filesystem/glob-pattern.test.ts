import { expect, it } from 'vitest'
import { GlobPattern } from '../../../src/toolkits/filesystem/glob-pattern.ts'

it.each([
  ['a', ['a'], ['b', 'a/a', 'A']],
  ['*', ['a', '.a', 'ä'], ['a/b']],
  ['a*c', ['ac', 'abc', 'abcbc'], ['acb', 'a/c']],
  ['?', ['a', '😀'], ['ab']],
  ['**', ['a', 'a/b/c'], []],
  ['**/b', ['b', 'a/b', 'a/a/b'], ['a/b/c', 'ab']],
  ['a/**/c', ['a/c', 'a/b/c', 'a/b/b/c'], ['a/b', 'c']],
  ['[ab]', ['a', 'b'], ['c', 'ab']],
  ['[!ab]', ['c'], ['a', 'b']],
  ['[a-c0]x', ['bx', '0x'], ['dx', '-x']],
  ['[]]', [']'], ['[]']],
  ['[', ['['], ['a']],
  ['{a,b}', ['a', 'b'], ['c', '{a,b}']],
  ['{a,b{c,d}}/x', ['a/x', 'bc/x', 'bd/x'], ['b/x']],
  ['{a}', ['{a}'], ['a']],
  ['{a', ['{a'], ['a']],
  ['{a/b,c}/d', ['a/b/d', 'c/d'], ['a/d']],
  ['\\*', ['*'], ['a', '\\*']],
  ['./a//b/', ['a/b'], ['a']],
])('%s matches %j and not %j', (pattern, matching, others) => {
  const glob = new GlobPattern(pattern)
  expect(matching.filter((path) => !glob.matches(path.split('/')))).toEqual([])
  expect(others.filter((path) => glob.matches(path.split('/')))).toEqual([])
})

it.each([
  ['src/**/*.ts', ['src', 'src/a/b'], ['lib']],
  ['*/x', ['a'], ['a/b', 'x/x']],
  ['{a/b,c}', ['a'], ['c', 'b']],
])('%s leads below %j and not below %j', (pattern, leading, others) => {
  const glob = new GlobPattern(pattern)
  expect(leading.filter((path) => !glob.leadsBelow(path.split('/')))).toEqual([])
  expect(others.filter((path) => glob.leadsBelow(path.split('/')))).toEqual([])
})

it.each([
  ['{a,b}'.repeat(30), 'stand for more than 100 patterns'],
  [`${'*a'.repeat(300)}{${'1,'.repeat(90)}}`, 'stand for more than 4000 characters'],
  ['x'.repeat(1_001), 'longer than 1000 characters'],
])('refuses %s', (pattern, message) => {
  expect(() => new GlobPattern(pattern)).toThrow(message)
})

it('is done with patterns that are made to keep it busy', () => {
  const name = 'a'.repeat(255)
  for (const pattern of ['*a'.repeat(400), '**/'.repeat(300), `${'**/*a*/'.repeat(100)}b`])
    expect(new GlobPattern(`${pattern}b`).matches(Array(60).fill(name))).toBe(false)
})
