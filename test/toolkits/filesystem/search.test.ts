import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { does, refuses, says, workspace } from '../harness.ts'
import { serve } from './serve.ts'

const files = {
  'src/a.ts': 'import b\nconst A = 1\n',
  'src/deep/b.ts': 'const b = 2',
  'src/deep/c.md': '# const',
  'node_modules/x/index.ts': 'const x = 1',
  '.git/config': 'const',
  'image.png': 'const\0',
  'large.ts': `const ${'x'.repeat(1_000)}`,
}

describe('grep', () => {
  it('finds lines, by file and number', async () => {
    const { root } = workspace(files)
    const server = serve({ root, maxFileBytes: 500 })
    const { content, structured_content } = await does(server, 'fs_grep', {
      pattern: '^const [a-z]',
      ignoreCase: true,
    })
    expect(content).toBe(
      'src/a.ts:2: const A = 1\nsrc/deep/b.ts:1: const b = 2\n[passed over, since too large or not readable: 1]',
    )
    expect(structured_content).toEqual({
      matches: [
        { path: 'src/a.ts', line: 2, text: 'const A = 1' },
        { path: 'src/deep/b.ts', line: 1, text: 'const b = 2' },
      ],
      end: 'complete',
      skipped: 1,
    })
  })

  it.each([
    [{ path: 'src/deep' }, ['src/deep/b.ts:1: const b = 2', 'src/deep/c.md:1: # const']],
    [{ path: 'src/deep/c.md' }, ['src/deep/c.md:1: # const']],
    [{ glob: '*.md' }, ['src/deep/c.md:1: # const']],
    [{ path: 'src', glob: 'deep/*.ts' }, ['src/deep/b.ts:1: const b = 2']],
    [{ path: 'node_modules' }, ['node_modules/x/index.ts:1: const x = 1']],
    [{ path: 'image.png' }, ['[no line matches]']],
  ])('with %j looks only there', async (where, expected) => {
    const { root } = workspace(files)
    const text = await says(serve({ root }), 'fs_grep', { pattern: 'const', ...where })
    expect(text.split('\n')).toEqual(expected)
  })

  it('shows a part of a long line, and no more matches than may be', async () => {
    const line = `${'.'.repeat(5_000)}needle${'.'.repeat(5_000)}`
    const { root } = workspace({ 'a.txt': `${line}\nneedle\nneedle` })
    const server = serve({ root, maxEntries: 2 })
    const { content, structured_content } = await does(server, 'fs_grep', { pattern: 'needle' })
    expect(structured_content).toMatchObject({ end: 'full', matches: [{ line: 1 }, { line: 2 }] })
    expect(content).toMatch(/^a\.txt:1: …\.+needle\.+…\na\.txt:2: needle\n\[there are more; narrow/)
    expect(content.length).toBeLessThan(500)
  })

  it('ends an expression that would take for ever, with what it has found, and the server goes on', async () => {
    const { root } = workspace({ 'a.txt': 'aab', 'b.txt': `${'a'.repeat(50)}!` })
    const server = serve({ root, grepTimeoutMs: 500 })
    const endless = { pattern: '^(a+)+b?$' }
    const greps = [does(server, 'fs_grep', endless), does(server, 'fs_grep', endless)]
    // The event loop turns meanwhile.
    expect(await says(server, 'fs_read', { path: 'a.txt' })).toBe('aab')
    for (const { content, is_error, structured_content } of await Promise.all(greps)) {
      expect({ is_error, structured_content }).toMatchObject({
        is_error: false,
        structured_content: { end: 'timeout' },
      })
      expect(content).toContain('[stopped after 500 ms, not all was searched')
    }
    expect(await says(serve({ root }), 'fs_grep', { pattern: 'b$' })).toBe('a.txt:1: aab')
  })

  it('ends when nobody waits any more', async () => {
    const { root } = workspace({ 'b.txt': `${'a'.repeat(50)}!` })
    const server = serve({ root, grepTimeoutMs: 2 ** 31 - 1 })
    const controller = new AbortController()
    const result = does(server, 'fs_grep', { pattern: '^(a+)+b?$' }, { signal: controller.signal })
    await says(server, 'fs_grep', { pattern: 'x' })
    controller.abort()
    expect(await result).toMatchObject({ is_error: true })
    expect(await says(server, 'fs_grep', { pattern: '!' })).toContain('b.txt:1:')
  })

  it('says what is wrong with an expression', async () => {
    const { root } = workspace()
    expect(await refuses(serve({ root }), 'fs_grep', { pattern: '(' })).toContain('no regular expression')
  })
})

describe('glob', () => {
  it.each([
    ['*.ts', ['large.ts']],
    ['**/*.ts', ['large.ts', 'src/a.ts', 'src/deep/b.ts']],
    ['src/*', ['src/a.ts', 'src/deep/']],
    ['src/**', ['src/', 'src/a.ts', 'src/deep/', 'src/deep/b.ts', 'src/deep/c.md']],
    ['**/deep/?.{ts,md}', ['src/deep/b.ts', 'src/deep/c.md']],
    ['node_modules/**/*.ts', ['node_modules/x/index.ts']],
    ['**/[!a-k]*.ts', ['large.ts']],
    ['nothing/*', ['[nothing matches]']],
  ])('%s finds %j', async (pattern, expected) => {
    const { root } = workspace(files)
    expect((await says(serve({ root }), 'fs_glob', { pattern })).split('\n')).toEqual(expected)
  })

  it('begins where it is told, names from the root, and finds no more than may be', async () => {
    const { root } = workspace(files)
    const server = serve({ root, maxEntries: 1 })
    expect(await says(server, 'fs_glob', { path: 'src', pattern: 'deep/*' })).toBe(
      'src/deep/b.ts\n[there are more; narrow the pattern]',
    )
  })

  it('passes over what it may not enter', async () => {
    const { root } = workspace({ 'closed/a.ts': '', 'b.ts': '' })
    symlinkSync('closed', join(root, 'link'))
    chmodSync(join(root, 'closed'), 0)
    const isSuperuser = process.getuid?.() === 0
    const found = await says(serve({ root }), 'fs_glob', { pattern: '**/*.ts' })
    chmodSync(join(root, 'closed'), 0o700)
    expect(found.split('\n')).toEqual(isSuperuser ? ['b.ts', 'closed/a.ts'] : ['b.ts'])
  })
})
