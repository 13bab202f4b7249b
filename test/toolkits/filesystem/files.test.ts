import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, type Tool } from '../../../src/index.ts'
import { FileSystem } from '../../../src/toolkits/index.ts'
import { namesOf } from '../../providers/registry/provider.ts'
import { Asker } from '../../server/dispatch/harness.ts'
import { does, refuses, says, snapshot, workspace } from '../harness.ts'
import { serve } from './serve.ts'

function pack(files: { readonly [path: string]: string } = {}, config = {}) {
  const { root } = workspace(files)
  return {
    root,
    server: serve({ root, ...config }),
    contentOf: (path: string) => readFileSync(join(root, path), 'utf8'),
  }
}

describe('the pack', () => {
  const readers = ['fs_glob', 'fs_grep', 'fs_list', 'fs_map', 'fs_read', 'fs_stat']
  const writers = ['fs_delete', 'fs_edit', 'fs_mkdir', 'fs_move', 'fs_write']

  it('has tools that read and tools that change, and says which are which', async () => {
    const { server } = pack()
    expect(await namesOf(server)).toEqual([...readers, ...writers].sort())
    const { result } = await new Asker(server).modern('tools/list')
    const tools = (result?.tools ?? []) as readonly Tool[]
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual(
      readers,
    )
  })

  it('has only the first where it is read-only', async () => {
    const { server } = pack({}, { readOnly: true })
    expect(await namesOf(server)).toEqual(readers)
  })

  it.each([
    ['rot', { rot: '/' }, /rot: is no option; did you mean root/],
    ['root', {}, /root: is missing/],
    ['root', { root: '/there/is/nothing' }, /root: must be a directory that is there/],
    ['root', { root: process.execPath }, /root: must be a directory/],
    ['maxEntries', { root: '/', maxEntries: 0 }, /maxEntries: must be a whole number above 0/],
  ])('names %s in the configuration %j', (_, config, message) => {
    expect(() => new FileSystem(config as never)).toThrow(ConfigError)
    expect(() => new FileSystem(config as never)).toThrow(message)
  })
})

describe('read', () => {
  it('gives a text as it is', async () => {
    const text = '\ufeffone\r\ntwo — zwei\n\n'
    const { server } = pack({ 'a.txt': text, empty: '' })
    expect(await says(server, 'fs_read', { path: 'a.txt' })).toBe(text)
    expect(await says(server, 'fs_read', { path: 'empty' })).toBe('')
  })

  it.each([
    [{ firstLine: 2, lastLine: 3 }, '2\n3\n'],
    [{ firstLine: 4 }, '4\n5'],
    [{ lastLine: 1 }, '1\n'],
    [{ firstLine: 5, lastLine: 99 }, '5'],
  ])('gives the lines %j', async (range, expected) => {
    const { server } = pack({ 'a.txt': '1\n2\n3\n4\n5' })
    expect(await says(server, 'fs_read', { path: 'a.txt', ...range })).toBe(expected)
  })

  it.each([
    [{ firstLine: 9 }, 'firstLine is 9, and it has 5 lines'],
    [{ firstLine: 3, lastLine: 2 }, 'lastLine is before firstLine'],
    [{ firstLine: 0 }, 'must be >= 1'],
  ])('refuses the lines %j', async (range, complaint) => {
    const { server } = pack({ 'a.txt': '1\n2\n3\n4\n5' })
    expect(await refuses(server, 'fs_read', { path: 'a.txt', ...range })).toContain(complaint)
  })

  it('gives as much as fits into an answer, and says how to go on', async () => {
    const { server } = pack({ 'a.txt': '1\n2\n3\n4', long: 'ä'.repeat(50) }, { maxReadBytes: 5 })
    expect(await says(server, 'fs_read', { path: 'a.txt' })).toBe(
      '1\n2\n\n[lines 1 to 2 of 4; read on with firstLine 3]',
    )
    expect(await says(server, 'fs_read', { path: 'long' })).toBe(
      'ää\n[cut: line 1 of 1 is longer than one answer may be]',
    )
  })

  it.each([
    ['nothing', /Cannot read "nothing": there is nothing of that name; list its directory/],
    ['dir', /Cannot read "dir": it is a directory/],
    ['binary', /it is not text/],
    ['latin', /it is not text in UTF-8/],
    ['large', /it has 101 B, and only files of up to 100 B are handled here/],
    ['a.txt/x', /"a.txt" is not a directory/],
  ])('refuses %s, and says why', async (path, message) => {
    const { root, server } = pack(
      { 'dir/a': '', binary: 'a\0b', large: 'x'.repeat(101), 'a.txt': '' },
      { maxFileBytes: 100 },
    )
    writeFileSync(join(root, 'latin'), Buffer.from([0x61, 0xe4]))
    expect(await refuses(server, 'fs_read', { path })).toMatch(message)
  })
})

describe('list, stat and map', () => {
  const files = { 'b.txt': 'x'.repeat(2_000), 'dir/inner/deep/a.txt': 'a', '.git/config': '', '.hidden': '' }

  it('lists what there is, sorted', async () => {
    const { root, server } = pack(files)
    symlinkSync('b.txt', join(root, 'link'))
    const { content, structured_content } = await does(server, 'fs_list')
    expect(content).toBe('.git/\n.hidden  0 B\nb.txt  2.0 KB\ndir/\nlink -> b.txt')
    expect(structured_content).toMatchObject({
      total: 5,
      entries: [
        { kind: 'directory' },
        {},
        { name: 'b.txt', kind: 'file', size: 2_000 },
        {},
        { kind: 'symlink', target: 'b.txt' },
      ],
    })
    expect(await says(server, 'fs_list', { path: 'dir/inner/' })).toBe('deep/')
  })

  it('lists no more than may be', async () => {
    const { server } = pack(files, { maxEntries: 2 })
    expect(await says(server, 'fs_list')).toBe('.git/\n.hidden  0 B\n[2 more are not shown]')
    expect(await says(server, 'fs_map')).toBe(
      '.git/  1 entry\n.hidden  0 B\n[there is more; outline a directory of it, or fewer levels]',
    )
  })

  it('says what a path is', async () => {
    const { root, server } = pack(files)
    chmodSync(join(root, 'b.txt'), 0o640)
    const { structured_content } = await does(server, 'fs_stat', { path: 'b.txt' })
    expect(structured_content).toEqual({
      kind: 'file',
      size: 2_000,
      mode: '0640',
      modified: statSync(join(root, 'b.txt')).mtime.toISOString(),
    })
    expect((await does(server, 'fs_stat', { path: '.' })).structured_content).toMatchObject({
      kind: 'directory',
    })
  })

  it('outlines a tree', async () => {
    const { server } = pack(files)
    expect(await says(server, 'fs_map', { depth: 2 })).toBe(
      '.git/  1 entry\n.hidden  0 B\nb.txt  2.0 KB\ndir/\n  inner/  1 entry',
    )
    expect(await says(server, 'fs_map', { path: 'dir', depth: 9 })).toBe('inner/\n  deep/\n    a.txt  1 B')
  })
})

describe('write', () => {
  it('makes a file, and the directories above it', async () => {
    const { server, contentOf } = pack()
    expect(await says(server, 'fs_write', { path: 'x/y/a.txt', content: 'a—b' })).toBe(
      'Wrote the new file x/y/a.txt: 5 B.',
    )
    expect(contentOf('x/y/a.txt')).toBe('a—b')
  })

  it('replaces a file in one step, and keeps its mode and owner', async () => {
    const { root, server, contentOf } = pack({ 'a.sh': 'old' })
    // Only the superuser can give it to somebody.
    const owner = process.getuid?.() || 12_345
    chownSync(join(root, 'a.sh'), owner, process.getgid?.() || 12_345)
    chmodSync(join(root, 'a.sh'), 0o750)
    linkSync(join(root, 'a.sh'), join(root, 'other-name'))
    await says(server, 'fs_write', { path: 'a.sh', content: 'new' })
    const { mode, uid } = statSync(join(root, 'a.sh'))
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o750, uid: owner })
    // What had the old file still has it: it was never opened for writing.
    expect([contentOf('a.sh'), contentOf('other-name')]).toEqual(['new', 'old'])
    expect(readdirSync(root).sort()).toEqual(['a.sh', 'other-name'])
  })

  it.each([
    ['dir', 'x', /it is a directory/],
    ['protected', 'x', /it is write-protected/],
    ['new', 'x'.repeat(101), /only files of up to 100 B/],
    ['new', '\ud800', /its content is no valid Unicode/],
    ['protected/x', 'x', /"protected" is not a directory/],
  ])('refuses %s with %j, and leaves nothing behind', async (path, content, message) => {
    const { root, server } = pack({ 'dir/a': '', protected: 'old' }, { maxFileBytes: 100 })
    chmodSync(join(root, 'protected'), 0o444)
    const before = snapshot(root)
    expect(await refuses(server, 'fs_write', { path, content })).toMatch(message)
    expect(snapshot(root)).toEqual(before)
  })
})

describe('edit', () => {
  const text = 'one two\ntwo three\n'

  it('replaces a passage that stands there once, as it is given', async () => {
    const { server, contentOf } = pack({ 'a.txt': text })
    expect(await says(server, 'fs_edit', { path: 'a.txt', oldText: 'two three', newText: '$& $1' })).toBe(
      'Replaced 1 passage, at line 2, in a.txt.',
    )
    expect(contentOf('a.txt')).toBe('one two\n$& $1\n')
  })

  it('replaces all when that is said', async () => {
    const { server, contentOf } = pack({ 'a.txt': text })
    expect(
      await says(server, 'fs_edit', { path: 'a.txt', oldText: 'two', newText: '2', all: true }),
    ).toContain('2 passages')
    expect(contentOf('a.txt')).toBe('one 2\n2 three\n')
  })

  it.each([
    [{ oldText: 'two', newText: '2' }, /stands there more than once/],
    [{ oldText: 'aa', newText: 'b' }, /stands there more than once/],
    [{ oldText: 'four', newText: '4' }, /does not stand there; read it again/],
    [{ oldText: 'two\n  two', newText: '4' }, /blanks or line ends differ/],
    [{ oldText: 'x\ny', newText: '4' }, /its lines end in \\r\\n/],
    [{ oldText: 'one', newText: 'one' }, /are the same/],
    [{ oldText: '', newText: 'one' }, /must not have fewer than 1 characters/],
    [{ oldText: 'one', newText: '\udfff' }, /newText is no valid Unicode/],
    [{ oldText: '\ud83d', newText: 'one' }, /oldText is no valid Unicode/],
    [{ oldText: '\ude00', newText: 'one' }, /oldText is no valid Unicode/],
    [{ oldText: 'one', newText: 'x'.repeat(100) }, /only files of up to 100 B/],
  ])('refuses %j, and changes nothing', async (passage, message) => {
    const { root, server } = pack({ 'a.txt': `${text}aaa\nx\r\ny😀` }, { maxFileBytes: 100 })
    const before = snapshot(root)
    expect(await refuses(server, 'fs_edit', { path: 'a.txt', ...passage })).toMatch(message)
    expect(snapshot(root)).toEqual(before)
  })

  it('loses none of many edits that are made at once', async () => {
    const { server, contentOf } = pack({
      'a.txt': Array.from({ length: 20 }, (_, index) => `<${index}>`).join('\n'),
    })
    const edits = Array.from({ length: 20 }, (_, index) =>
      does(server, 'fs_edit', { path: 'a.txt', oldText: `<${index}>`, newText: `[${index}]` }),
    )
    expect((await Promise.all(edits)).filter(({ is_error }) => is_error)).toEqual([])
    expect(contentOf('a.txt')).not.toContain('<')
  })
})

describe('mkdir, move and delete', () => {
  it('makes directories, and leaves one that is there', async () => {
    const { root, server } = pack({ file: '' })
    await says(server, 'fs_mkdir', { path: 'a/b/c' })
    expect(await says(server, 'fs_mkdir', { path: 'a/b' })).toBe('a/b is there already.')
    expect(await refuses(server, 'fs_mkdir', { path: 'file' })).toContain('a file of that name is there')
    expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true)
  })

  it('moves files and directories', async () => {
    const { server, contentOf } = pack({ 'a.txt': 'a', 'dir/b.txt': 'b' })
    await says(server, 'fs_move', { from: 'a.txt', to: 'dir/a.txt' })
    await says(server, 'fs_move', { from: 'dir', to: 'other' })
    expect([contentOf('other/a.txt'), contentOf('other/b.txt')]).toEqual(['a', 'b'])
  })

  it.each([
    [{ from: 'a.txt', to: 'dir' }, /something is there already/],
    [{ from: 'a.txt', to: 'dir/b.txt' }, /something is there already/],
    [{ from: 'dir', to: 'empty' }, /something is there already/],
    [{ from: 'dir', to: 'dir/inner' }, /a directory cannot be moved into itself/],
    [{ from: 'dir', to: 'dir/new/inner' }, /there is no directory "dir\/new"; make it with mkdir/],
    [{ from: 'nothing', to: 'x' }, /there is nothing to move/],
    [{ from: 'a.txt', to: '.' }, /the root itself/],
    [{ from: '.', to: 'x' }, /the root itself/],
  ])('refuses the move %j, and changes nothing', async (args, message) => {
    const { root, server } = pack({ 'a.txt': 'a', 'dir/b.txt': 'b' })
    mkdirSync(join(root, 'empty'))
    const before = snapshot(root)
    expect(await refuses(server, 'fs_move', args)).toMatch(message)
    expect(snapshot(root)).toEqual(before)
  })

  it('deletes files, empty directories, and full ones when that is said', async () => {
    const { root, server } = pack({ 'a.txt': 'a', 'dir/b.txt': 'b', 'dir/inner/c.txt': 'c' })
    mkdirSync(join(root, 'empty'))
    for (const path of ['a.txt', 'empty']) await says(server, 'fs_delete', { path })
    expect(await refuses(server, 'fs_delete', { path: 'dir' })).toContain('not empty; say recursive: true')
    expect(await refuses(server, 'fs_delete', { path: 'nothing' })).toContain('there is nothing of that name')
    await says(server, 'fs_delete', { path: 'dir', recursive: true })
    expect(readdirSync(root)).toEqual([])
  })
})
