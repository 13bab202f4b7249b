import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/index.ts'
import { does, openBelow, put, refuses, says, snapshot, type Workspace, workspace } from '../harness.ts'
import { serve, ways } from './serve.ts'

/** A root full of ways out. */
function trap(): Workspace {
  const places = workspace({ 'a.txt': 'a', 'dir/b.txt': 'b', 'inner/c.txt': 'c' })
  const { root, outside } = places
  put(`${root}-other`, { 'x.txt': 'of a neighbour' })
  const links = {
    'link-out': '../outside',
    'link-absolute': outside,
    'link-up': '..',
    'link-file': '../outside/secret.txt',
    'link-nothing': '../outside/new.txt',
    'link-back': '../root/../outside',
    'inner/deep': '../../outside',
    chain: 'link-out',
    loop: 'loop',
    'link-proc': '/proc/self/root',
    'link-new': 'fresh/../../outside',
    'link-fresh': 'dir/fresh',
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name))
  execFileSync('mkfifo', [join(root, 'pipe')])
  return places
}

const links = [
  'link-out',
  'link-absolute',
  'link-up',
  'link-file',
  'link-nothing',
  'link-back',
  'deep',
  'chain',
  'loop',
]

/** Paths that lead out, or nowhere. */
function badPaths({ root, outside }: Workspace): readonly string[] {
  return [
    '..',
    '../outside',
    '../outside/secret.txt',
    'dir/../../outside/secret.txt',
    'dir/..',
    './../outside/secret.txt',
    outside,
    `${outside}/secret.txt`,
    `${root}/../outside/secret.txt`,
    `${root}-other/x.txt`,
    root.toUpperCase(),
    '/',
    '/etc/passwd',
    'link-out/secret.txt',
    'link-out/folder/deep.txt',
    'link-out/new/newer.txt',
    'link-absolute/secret.txt',
    'link-absolute/new.txt',
    'link-up/outside/secret.txt',
    'link-up/root/a.txt',
    'link-back/secret.txt',
    'inner/deep/secret.txt',
    'chain/secret.txt',
    'loop/secret.txt',
    'link-new/secret.txt',
    'link-new/new.txt',
    'link-fresh/new.txt',
    `link-proc${outside}/secret.txt`,
    'a.txt/x',
    'a.txt\0',
    '\0',
    '../outside\0/../a.txt',
    'x'.repeat(256),
    `dir/${'é'.repeat(200)}`,
    `new/${'x'.repeat(256)}`,
    `new/${'x'.repeat(256)}/new`,
    'x/'.repeat(3_000),
    '\ud800',
    '',
    '~',
    '~/x',
  ]
}

/** Every tool, at a path. */
function calls(path: string): readonly (readonly [string, JsonObject])[] {
  return [
    ['fs_read', { path }],
    ['fs_list', { path }],
    ['fs_glob', { path, pattern: '**' }],
    ['fs_stat', { path }],
    ['fs_grep', { path, pattern: 'e' }],
    ['fs_map', { path }],
    ['fs_write', { path, content: 'written' }],
    ['fs_edit', { path, oldText: 'secret', newText: 'written' }],
    ['fs_mkdir', { path }],
    ['fs_move', { from: path, to: 'moved' }],
    ['fs_move', { from: 'a.txt', to: path }],
    ['fs_delete', { path, recursive: true }],
  ]
}

describe.each(ways)('%s', (_, open) => {
  it('nothing leads out of the root, and what is refused changes nothing', async () => {
    const places = trap()
    const files = serve({ root: places.root }, open)
    const before = snapshot(join(places.root, '..'))
    for (const path of badPaths(places))
      for (const [tool, args] of calls(path)) {
        const name = `${tool} ${JSON.stringify(args).slice(0, 100)}`
        const { content, is_error } = await does(files, tool, args)
        expect({ name, is_error }).toEqual({ name, is_error: true })
        expect(content, name).not.toMatch(/secret(?!\.txt)/)
        expect(snapshot(join(places.root, '..')), name).toEqual(before)
      }
    expect(openBelow(join(places.root, '..'))).toEqual([])
  })

  it.each(['link-file', 'link-nothing', 'link-out', 'loop'])(
    'what is at the other end of %s is neither read nor changed',
    async (path) => {
      const { root, outside } = trap()
      const files = serve({ root }, open)
      const before = [snapshot(root), snapshot(outside)]
      for (const [tool, args] of calls(path)) {
        // These are about the symlink itself.
        if (tool === 'fs_stat' || tool === 'fs_delete' || 'from' in args) continue
        expect(await refuses(files, tool, args), tool).not.toContain('the secret')
        expect([snapshot(root), snapshot(outside)], tool).toEqual(before)
      }
    },
  )

  it('no path that is made of such parts leads out', async () => {
    const places = trap()
    const { root, outside } = places
    const files = serve({ root }, open)
    const before = snapshot(outside)
    const parts = ['..', '.', '', 'dir', 'inner', 'a.txt', 'new', 'outside', 'secret.txt', 'root', ...links]
    const path = fc
      .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 6 })
      .map((names) => names.join('/'))
    const anyCall = fc.tuple(path, path, fc.nat()).map(([from, to, index]) => {
      const all = [...calls(from), ['fs_move', { from, to }] as const]
      return all[index % all.length] ?? expect.fail('no call')
    })
    await fc.assert(
      fc.asyncProperty(anyCall, async ([tool, args]) => {
        const { content } = await does(files, tool, args)
        expect(content).not.toMatch(/the secret|only-outside/)
      }),
      { numRuns: 1_000 },
    )
    expect(snapshot(outside)).toEqual(before)
    expect(openBelow(join(root, '..'))).toEqual([])
  })

  it('a symlink that leads out is itself only stated, moved and deleted', async () => {
    const { root, outside } = trap()
    const files = serve({ root }, open)
    const before = snapshot(outside)
    expect(JSON.parse(await says(files, 'fs_stat', { path: 'link-out' }))).toMatchObject({ kind: 'symlink' })
    await says(files, 'fs_move', { from: 'link-out', to: 'dir/moved' })
    await says(files, 'fs_delete', { path: 'dir/moved', recursive: true })
    await says(files, 'fs_delete', { path: 'link-file' })
    expect(snapshot(outside)).toEqual(before)
  })

  it('nothing is found through symlinks, and a tree is deleted without what they lead to', async () => {
    const { root, outside } = trap()
    const files = serve({ root }, open)
    const before = snapshot(outside)
    expect(await says(files, 'fs_glob', { pattern: '**/*.txt' })).toBe('a.txt\ndir/b.txt\ninner/c.txt')
    expect(await says(files, 'fs_grep', { pattern: 'secret' })).toBe('[no line matches]')
    expect(await says(files, 'fs_map')).not.toContain('secret')
    await says(files, 'fs_delete', { path: 'inner', recursive: true })
    expect(snapshot(outside)).toEqual(before)
  })

  it('pipes and sockets are refused at once', async () => {
    const { root } = trap()
    const socket = createServer().listen(join(root, 'socket'))
    onTestFinished(() => void socket.close())
    await once(socket, 'listening')
    const files = serve({ root }, open)
    const before = snapshot(root)
    for (const path of ['pipe', 'socket'])
      for (const [tool, args] of calls(path)) {
        if (tool === 'fs_stat') continue
        await refuses(files, tool, args)
        expect(snapshot(root), `${tool} ${path}`).toEqual(before)
      }
    expect(await says(files, 'fs_grep', { pattern: '.' })).toContain('a.txt:1: a')
  })

  it('the root stays where it is', async () => {
    const { root } = workspace({ 'a.txt': 'a' })
    symlinkSync('.', join(root, 'dot'))
    const files = serve({ root }, open)
    const before = snapshot(root)
    for (const path of ['.', './', root, `${root}/.`, 'dot/.'])
      for (const [tool, args] of calls(path)) {
        if (/list|glob|stat|grep|map|mkdir/.test(tool)) continue
        // The symlink is something that can be moved and deleted.
        if (path === 'dot/.' && tool !== 'fs_write') continue
        await refuses(files, tool, args)
        expect(snapshot(root), `${tool} ${path}`).toEqual(before)
      }
  })

  it('a root that is a symlink is known by both names, and serves what it led to when it began', async () => {
    const { root, outside } = workspace({ 'a.txt': 'a' })
    const link = `${root}-link`
    symlinkSync(root, link)
    const files = serve({ root: link }, open)
    for (const path of ['a.txt', `${link}/a.txt`, `${root}/a.txt`])
      expect(await says(files, 'fs_read', { path })).toBe('a')
    execFileSync('ln', ['-sfn', outside, link])
    expect(await says(files, 'fs_list')).toBe('a.txt  1 B')
  })

  it('a symlink that leads to itself through thousands of directories is refused', async () => {
    const { root } = workspace({ 'a/x': '' })
    symlinkSync(`self/${'a/'.repeat(2_040)}`, join(root, 'self'))
    symlinkSync(`a/${'../a/'.repeat(800)}../other`, join(root, 'one'))
    symlinkSync(`a/${'../a/'.repeat(800)}../one`, join(root, 'other'))
    const files = serve({ root }, open)
    for (const path of ['self/x', 'one/x', 'other/x', 'one'])
      expect(await refuses(files, 'fs_read', { path })).toContain('too many directories or symlinks')
  })

  it('a root that another one has taken the place of, by a symlink above it, is not entered', async () => {
    const { root, outside } = workspace({ 'served/a.txt': 'a' })
    put(outside, { 'served/secret.txt': 'the secret' })
    const files = serve({ root: join(root, 'served') }, open)
    execFileSync('mv', [root, `${root}-moved`])
    symlinkSync(outside, root)
    const before = snapshot(outside)
    for (const path of ['.', 'secret.txt', 'new/new.txt', join(root, 'served/secret.txt')])
      for (const [tool, args] of calls(path))
        expect(await refuses(files, tool, args), `${tool} ${path}`).not.toContain('the secret')
    expect(snapshot(outside)).toEqual(before)
    expect(openBelow(join(root, '..'))).toEqual([])
  })

  it('a root that was replaced by a symlink is not entered', async () => {
    const { root, outside } = workspace({ 'a.txt': 'a' })
    const files = serve({ root }, open)
    execFileSync('rm', ['-r', root])
    symlinkSync(outside, root)
    expect(await refuses(files, 'fs_list')).toContain('the root of this server cannot be entered')
    expect(await refuses(files, 'fs_write', { path: 'x', content: '' })).toContain('cannot be entered')
  })

  it('symlinks that stay inside are followed, and written through', async () => {
    const { root } = workspace({ 'real/a.txt': 'a' })
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync('../real', join(root, 'elsewhere/there'))
    symlinkSync(`${root}/elsewhere/there/../real/a.txt`, join(root, 'absolute'))
    symlinkSync('elsewhere/there/a.txt', join(root, 'file'))
    const files = serve({ root }, open)
    for (const path of ['elsewhere/there/a.txt', 'absolute', 'file'])
      expect(await says(files, 'fs_read', { path })).toBe('a')
    await says(files, 'fs_write', { path: 'file', content: 'b' })
    await says(files, 'fs_write', { path: 'elsewhere/there/new.txt', content: 'c' })
    expect(snapshot(root)).toMatchObject({
      file: { target: 'elsewhere/there/a.txt' },
      'real/a.txt': { content: 'b' },
      'real/new.txt': { content: 'c' },
    })
  })
})
