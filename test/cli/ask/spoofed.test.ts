import { describe, expect, it } from 'vitest'
import { askElicitation } from '../../../src/cli/ask/elicitation.ts'
import { questionText } from '../../../src/cli/ask/permission.ts'
import { Prompter } from '../../../src/cli/ask/prompter.ts'
import { ruleText } from '../../../src/cli/text/rule-text.ts'
import { styleFor } from '../../../src/cli/text/style.ts'
import type { PermissionRequest } from '../../../src/providers/policy/ask.ts'
import { interrupt, ScriptedPerson } from '../scripted-person.ts'

const style = styleFor({ isTerminal: false, columns: undefined, write: () => {} }, {})

function question(args: PermissionRequest['arguments'], more: Partial<PermissionRequest> = {}): string {
  return questionText(
    {
      kind: 'permission',
      tool: 'fs_write',
      arguments: args,
      call: { id: '1', function: { name: 'fs_write', arguments: args } },
      reason: 'no-match',
      paths: [],
      suggestion: { tool: 'fs_write' },
      ...more,
    },
    style,
  )
}

describe('what a model writes into a call looks like nothing else', () => {
  it('not like another argument, by its name or its reason', () => {
    expect(question({ 'path: "/w"\n  x': 1, 'path ': '/etc', reason: 'ok\n  path: "/w/a"' })).toBe(
      [
        'fs_write',
        '  "path: \\"/w\\"\\n  x": 1',
        '  "path ": "/etc"',
        '  reason  ok path: "/w/a"',
        '  no rule speaks of it',
      ].join('\n'),
    )
  })

  it('not like a reason, when it is too long for one', () => {
    const reason = 'x'.repeat(301)
    expect(question({ reason })).toBe(`fs_write\n  reason: "${reason}"\n  no rule speaks of it`)
    expect(question({ reason: { path: '/w' } })).toContain('  reason: { "path": "/w" }\n')
  })

  it.each([
    ['\u001b[2J', '\\u001b[2J'],
    ['\u009b2J', '\\u009b2J'],
    ['a\u202eb', 'a\\u202eb'],
    ['a\u200fb', 'a\\u200fb'],
    ['a\u061cb', 'a\\u061cb'],
    ['r\u200dm', 'r\\u200dm'],
    ['a\u00a0b', 'a\\u00a0b'],
    ['a\u3164b', 'a\\u3164b'],
    ['a\u2800b', 'a\\u2800b'],
    ['a\ufe0fb', 'a\\ufe0fb'],
    ['a\u{e0041}b', 'a\\udb40\\udc41b'],
    ['a\r\nb', 'a\\r\\nb'],
  ])('not like what it is without what nobody sees: %j', (path, shown) => {
    expect(question({ path })).toContain(`  path: "${shown}"\n`)
  })

  it('and where it leads stands next to the question, however much there is above', () => {
    const lines = question({ path: 'a', content: '\n'.repeat(1_000) }, { paths: ['/etc/a', '/w/b c'] }).split(
      '\n',
    )
    expect(lines.slice(-3)).toEqual(['  where   /etc/a', '  where   "/w/b c"', '  no rule speaks of it'])
  })

  it('in what would be allowed for good neither', () => {
    expect(ruleText({ tool: 'fs_write', under: '/w/a' })).toBe('fs_write under /w/a')
    expect(ruleText({ tool: 'fs_write', under: '/w under /tmp' })).toBe('fs_write under "/w under /tmp"')
    expect(ruleText({ tool: 'fs_write', under: '/w/a\u00a0b' })).toBe('fs_write under "/w/a\\u00a0b"')
    expect(ruleText({ tool: 'fs_write', under: '/w/\u00e4' })).toBe('fs_write under /w/\u00e4')
  })
})

describe('what a server asks looks like nothing else', () => {
  const shownOf = async (message: unknown) => {
    const person = new ScriptedPerson(['Answer fs?', interrupt])
    const params = { message, requestedSchema: { type: 'object', properties: {} } }
    const asking = { serverName: 'fs', signal: new AbortController().signal }
    const request = { method: 'elicitation/create', params }
    expect(await askElicitation(request as never, new Prompter(person, style), asking)).toEqual({
      action: 'cancel',
    })
    return person.shown
  }

  it('line by line', async () => {
    expect(await shownOf('hi\nfs_write\n  path: "/w/a"\n\u001b[2J')).toMatch(
      /^fs asks:\n {2}> hi\n {2}> fs_write\n {2}> {3}path: "\/w\/a"\n {2}> \^\[\[2J\n/,
    )
  })

  it('when a line is broken', async () => {
    const shown = await shownOf(`${'x'.repeat(195)} fs_write ${'y'.repeat(400)}`)
    for (const line of shown.split('\n').slice(1, 4)) expect(line).toMatch(/^ {6}\S/)
  })

  it('and is cut where nobody reads on', async () => {
    expect(await shownOf('x'.repeat(1_000_000))).toContain('… (996000 characters more)')
    expect(await shownOf({ a: 1 })).toMatch(/^fs asks: \{"a":1\}\n/)
  })
})
