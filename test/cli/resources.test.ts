import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everything, filesystem, fixture, json, troupe } from './harness.ts'

const modern = fixture('modern')

describe('resources', () => {
  it('lists resources and templates, the URI first', async () => {
    const { exitCode, out } = await troupe(['resources', ...everything])
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      /^demo:\/\/resource\/static\/document\/architecture\.md {2}architecture\.md, text\/markdown\n {2}Static/,
    )
    expect(out).toContain('demo://resource/dynamic/text/{resourceId}  Dynamic Text Resource, text/plain\n')
  })

  it('is both lists with --json', async () => {
    expect(json((await troupe(['resources', '--json', ...modern])).out)).toMatchObject({
      resources: [{ uri: 'fixture://readme' }, { uri: 'fixture://pixel' }],
      resourceTemplates: [{ uriTemplate: 'note:///{id}' }],
    })
  })

  it('has nothing to list where the server has no such feature', async () => {
    expect(await troupe(['resources', ...filesystem])).toMatchObject({ exitCode: 0, out: '', err: '' })
    const shown = await troupe(['resources', ...filesystem], { terminal: true, env: { NO_COLOR: '1' } })
    expect(shown.err).toBe('This server has no resources.\n')
    const { out } = await troupe(['resources', '--json', ...filesystem])
    expect(json(out)).toEqual({ resources: [], resourceTemplates: [] })
  })
})

describe('read', () => {
  it('writes text as it is', async () => {
    expect(await troupe(['read', 'fixture://readme', ...modern])).toMatchObject({
      exitCode: 0,
      out: 'All is well.',
    })
    const shown = await troupe(['read', 'fixture://readme', ...modern], { terminal: true })
    expect(shown.out).toBe('All is well.\n')
  })

  it('writes bytes as they are, but not to a terminal', async () => {
    expect((await troupe(['read', 'fixture://pixel', ...modern])).bytes).toEqual(
      Buffer.from([0, 1, 254, 255]),
    )
    const refused = await troupe(['read', 'fixture://pixel', ...modern], { terminal: true, columns: 200 })
    expect(refused).toMatchObject({ exitCode: 1, out: '' })
    expect(refused.err).toContain(
      'is binary (application/octet-stream, 4 B) and is not printed to a terminal: use --output <file>',
    )
  })

  it('writes to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'troupe-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'pixel')
    const saved = await troupe(['read', 'fixture://pixel', '--output', file, ...modern], { terminal: true })
    expect(saved).toMatchObject({ exitCode: 0, out: '', err: expect.stringContaining('4') })
    expect(await readFile(file)).toEqual(Buffer.from([0, 1, 254, 255]))
    const nowhere = await troupe(['read', 'fixture://pixel', '--output', `${file}/x`, ...modern])
    expect(nowhere).toMatchObject({ exitCode: 1, err: expect.stringContaining('error: Cannot write') })
  })

  it('is the whole result with --json', async () => {
    expect(json((await troupe(['read', 'fixture://pixel', '--json', ...modern])).out)).toEqual({
      contents: [{ uri: 'fixture://pixel', mimeType: 'application/octet-stream', blob: 'AAH+/w==' }],
    })
  })
})
