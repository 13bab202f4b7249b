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
    [['--header=X-Api-Key: hunter2']],
    [['--env=API_KEY=hunter2']],
    [['-eAPI_KEY=hunter2']],
    [['-u', 'admin:hunter2']],
    [['--user=admin:hunter2']],
    [['--accessKey', 'hunter2']],
    [['--cookie', 'hunter2']],
    [['--connection-string', 'hunter2']],
    [['Server=db;User=admin;Password=hunter2;Port=1']],
    [['{"nested":{"accessKey": "hunter2"}}']],
    [['https://admin:hun/ter2hunter2@example.com/mcp']],
    [['https://admin:x@hunter2@example.com/mcp']],
    [['https://example.com/mcp#access_token=hunter2']],
    [['authorization: bearer hunter2hunter2']],
    [['Basic hunter2hunter2']],
    [['AKIAHUNTER2HUNTER2', 'npm_hunter2hunter2', 'eyJhunter2hunter2.eyJhunter2hunter2.hunter2']],
  ])('never shows the secret of %j', (args) => {
    expect(describeTarget('server', args)).not.toMatch(/hunter2/i)
  })

  it('takes no time over arguments of any size', () => {
    expect(describeTarget('server', ['token'.repeat(200_000), '-'.repeat(1_000_000)])).toHaveLength(120)
  })

  it('shows what is no secret', () => {
    const args = ['--dir=/tmp', '--verbose', 'https://example.com/mcp?x=1', '--key', 'a', 'b']
    expect(describeTarget('server', args)).toBe(
      'server --dir=/tmp --verbose https://example.com/mcp?x=1 --key *** b',
    )
    const more = ['-y', '@scope/server@1.2', 'http://localhost:80/@scope/x', '--log=level:debug', 'a:b']
    expect(describeTarget('npx', more)).toBe(`npx ${more.join(' ')}`)
  })

  it('is one line of at most 120 characters', () => {
    const shown = describeTarget('node', ['-e', 'first\nsecond', 'x'.repeat(200)])
    expect(shown).toHaveLength(120)
    expect(shown).toMatch(/^node -e first second x+…$/)
  })
})
