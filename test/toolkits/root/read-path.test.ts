import { describe, expect, it } from 'vitest'
import { readPath } from '../../../src/toolkits/root/read-path.ts'

describe('on POSIX', () => {
  const read = (path: string) => readPath(path, ['/srv/work', '/data/work'], 'linux')

  it.each([
    ['a/b', ['a', 'b']],
    ['./a//b/.', ['a', 'b']],
    ['.', []],
    ['/srv/work', []],
    ['/srv/work/a', ['a']],
    ['//srv/./work//a', ['a']],
    ['/data/work/a', ['a']],
    ['a\\b', ['a\\b']],
    ['C:', ['C:']],
    ['nul', ['nul']],
    ['%2e%2e', ['%2e%2e']],
    ['...', ['...']],
  ])('%s leads to %j', (path, segments) => {
    expect(read(path)).toEqual(segments)
  })

  it.each(['..', 'a/..', '/srv/work/..', '/srv', '/srv/work2', '/srv/WORK/a', '', 'a\0', '\ud800', '~/a'])(
    '%j is refused',
    (path) => {
      expect(() => read(path)).toThrow()
    },
  )
})

describe('on Windows', () => {
  const read = (path: string) => readPath(path, ['C:\\work'], 'win32')

  it.each([
    ['a\\b/c', ['a', 'b', 'c']],
    ['c:\\WORK\\a', ['a']],
    ['C:/work', []],
  ])('%s leads to %j', (path, segments) => {
    expect(read(path)).toEqual(segments)
  })

  it.each([
    '..\\a',
    'a\\..\\b',
    'C:\\work2\\a',
    'D:\\work\\a',
    'C:a',
    '\\work\\a',
    '\\\\host\\share\\a',
    '\\\\?\\C:\\work\\a',
    '//./pipe/x',
    'a.txt:stream',
    'nul',
    'NUL.txt',
    'com1',
    'a.',
    'a ',
    'a?',
  ])('%s is refused', (path) => {
    expect(() => read(path)).toThrow()
  })
})
