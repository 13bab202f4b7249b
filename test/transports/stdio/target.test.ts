import { describe, expect, it } from 'vitest'
import { describeTarget } from '../../../src/transports/stdio/target.ts'

describe('how a command is shown', () => {
  it('names the program without its folder, and its arguments', () => {
    expect(describeTarget('/usr/local/bin/node', ['server.js', '--port', '80'])).toBe(
      'node server.js --port 80',
    )
    expect(describeTarget('npx')).toBe('npx')
  })

  it.each([
    [['--token=hunter2']],
    [['--token', 'hunter2']],
    [['--api-key', 'hunter2']],
    [['-apikey=hunter2']],
    [['API_KEY=hunter2']],
    [['DB_PASSWORD=hunter2']],
    [['--client-secret', 'hunter2']],
    [['--header', 'Authorization: Bearer hunter2']],
    [['-H', 'X-Api-Key: hunter2']],
    [['{"apiKey":"hunter2"}']],
    [['postgres://admin:hunter2@localhost/db']],
    [['https://example.com/mcp?access_token=hunter2&x=1']],
    [['ghp_hunter2hunter2']],
    [['sk-hunter2hunter2']],
  ])('never shows the secret of %j', (args) => {
    expect(describeTarget('server', args)).not.toContain('hunter2')
  })

  it('shows what is no secret', () => {
    const args = ['--dir=/tmp', '--verbose', 'https://example.com/mcp?x=1', '--key', 'a', 'b']
    expect(describeTarget('server', args)).toBe(
      'server --dir=/tmp --verbose https://example.com/mcp?x=1 --key *** b',
    )
  })

  it('is one line of at most 120 characters', () => {
    const shown = describeTarget('node', ['-e', 'first\nsecond', 'x'.repeat(200)])
    expect(shown).toHaveLength(120)
    expect(shown).toMatch(/^node -e first second x+…$/)
  })
})
