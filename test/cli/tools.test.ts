import { describe, expect, it } from 'vitest'
import { everything, filesystem, fixture, json, troupe } from './harness.ts'

describe('a list of tools', () => {
  it('reads like functions, one line each where lines have no end', async () => {
    const { exitCode, out, err } = await troupe(['tools', ...filesystem])
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    const lines = out.split('\n')
    expect(lines).toContain('read_text_file(path: string, tail?: number, head?: number): { content: string }')
    expect(lines).toContain(
      'edit_file(path: string, edits: { oldText: string, newText: string }[], dryRun: boolean = false): { content: string }',
    )
    expect(lines).toContain('list_allowed_directories(): { content: string }')
    expect(out).not.toContain('\u001b')
  })

  it('shows enums as unions, and the first line of each description', async () => {
    const { out } = await troupe(['tools', ...everything])
    expect(out).toContain(
      "get-annotated-message(messageType: 'error' | 'success' | 'debug', includeImage: boolean = false)\n  Demonstrates how",
    )
  })

  it.each([60, 80])('fits a terminal of %i columns', async (columns) => {
    const { out } = await troupe(['tools', ...filesystem], {
      terminal: true,
      columns,
      env: { NO_COLOR: '1' },
    })
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    expect(out).toContain('\n    dryRun: boolean = false): { content: string }\n  Make line-based edits')
  })

  it('is coloured on a terminal only', async () => {
    const { out } = await troupe(['tools', ...fixture('echo')], { terminal: true })
    expect(out).toContain('\u001b[1mecho\u001b[22m(text: \u001b[36mstring\u001b[39m)')
  })

  it('follows every page', async () => {
    const { out } = await troupe(['tools', '--json', ...fixture('bare-modern')])
    expect((json(out) as { tools: unknown[] }).tools.length).toBeGreaterThan(10)
  })

  it('is what the server lists with --json', async () => {
    const { out, err } = await troupe(['tools', '--json', ...fixture('echo')])
    expect(err).toBe('')
    expect(json(out)).toEqual({
      tools: [
        {
          name: 'echo',
          description: 'Returns its text.',
          inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
          annotations: { readOnlyHint: true },
        },
        expect.objectContaining({ name: 'big' }),
        expect.objectContaining({ name: 'records' }),
      ],
    })
  })
})

describe('one tool', () => {
  it('is shown in full', async () => {
    const { exitCode, out } = await troupe(['tools', 'edit_file', ...filesystem])
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^edit_file\(path: string, /)
    expect(out).toContain('\n\nEdit File\n\nMake line-based edits')
    expect(out).toContain('The server says it is: destructive, confined to its own domain\n')
    const schema = /Input schema\n([\s\S]*)\n\nOutput schema\n/.exec(out)?.[1] ?? ''
    expect(json(schema)).toMatchObject({ required: ['path', 'edits'] })
  })

  it('is one JSON object with --json', async () => {
    expect(json((await troupe(['tools', 'echo', '--json', ...fixture('echo')])).out)).toMatchObject({
      name: 'echo',
    })
  })

  it('that does not exist is a usage error with the nearest name', async () => {
    const { exitCode, err, out } = await troupe(['tools', 'edit-fil', ...filesystem])
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(err).toBe('error: The server has no tool "edit-fil". Did you mean edit_file?\n')
  })
})
