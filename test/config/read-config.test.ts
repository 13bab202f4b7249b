import { describe, expect, it } from 'vitest'
import { complaint, entry, understand } from './harness.ts'

it('a file of any size is read in time, also where there is much to warn of', () => {
  const server = { command: 'node', args: ['x'.repeat(300)], autoApprove: [] }
  const names = Array.from({ length: 20_000 }, (_, index) => `server-${index}`)
  const config = { mcpServers: Object.fromEntries(names.map((name) => [name, server])) }
  const { servers, warnings } = understand(config)
  expect([servers.size, warnings.length]).toEqual([20_000, 20_000])
  expect(warnings.at(-1)).toMatch(/^mcpServers\.server-19999\.autoApprove: .*\(\.mcp\.json:\d{6}:22\)$/)
})

describe('a configuration', () => {
  it('names servers to run and servers on URLs', () => {
    const { servers } = understand({
      mcpServers: {
        fs: { type: 'stdio', command: 'npx', args: ['-y', ''], env: { A: '', PORT: 80 }, cwd: 'sub' },
        web: { type: 'http', url: 'https://example.com/mcp', headers: { 'X-Team': 'a' } },
        old: { type: 'sse', url: 'https://example.com/sse' },
      },
    })
    expect([...servers.values()].map(({ name, spec }) => [name, spec])).toEqual([
      ['fs', { command: 'npx', args: ['-y', ''], env: { A: '', PORT: '80' }, cwd: '/project/sub' }],
      ['web', { url: 'https://example.com/mcp', headers: { 'X-Team': 'a' } }],
      ['old', { url: 'https://example.com/sse', headers: {} }],
    ])
  })

  it('says how to sign in to a server on a URL, and that is checked', () => {
    const auth = {
      clientId: 'me',
      clientSecret: 'hush-hush',
      grant: { type: 'client_credentials' },
      scopes: ['a'],
    }
    const web = { url: 'https://example.com/mcp', auth }
    const server = understand({ mcpServers: { web } }).servers.get('web')
    expect(server?.spec).toEqual({ url: web.url, headers: {}, auth })
    expect(server?.secrets).toContain('hush-hush')
    const bad = (changed: object) =>
      complaint({ mcpServers: { web: { ...web, auth: { ...auth, ...changed } } } }).message
    expect(bad({ clientSecret: 7 })).toMatch(
      /^mcpServers\.web\.auth\.clientSecret: must be a non-empty string/,
    )
    expect(bad({ token: 'x' })).toMatch(/^mcpServers\.web\.auth\.token: is no option/)
    expect(bad({ clientSecret: undefined })).toMatch(/auth\.clientSecret: is missing/)
  })

  it('may be written as an editor does: servers, comments, trailing commas, a byte order mark', () => {
    const text = `\uFEFF{
      // the team's
      "inputs": [],
      "servers": { "fs": { "command": "node", /* here */ "cwd": "\${workspaceFolder}", }, },
    }`
    expect(understand(text).servers.get('fs')?.spec).toMatchObject({ command: 'node', cwd: '/project' })
  })

  it('says how each server is supervised and connected to', () => {
    const troupe = {
      prefix: 'files',
      restart: 'transient',
      maxRestarts: 0,
      withinMs: 5000,
      backoff: { initialMs: 1, factor: 1.5, maxMs: 10, jitter: 0 },
      start: 'lazy',
      idleStopMs: 60_000,
      downWaitMs: 0,
      retryReads: true,
      allow: ['read_*'],
      deny: [],
    }
    const client = { era: 'legacy', requestTimeoutMs: 5, killGraceMs: 0, inheritEnv: false }
    const server = understand(entry({ troupe: { ...troupe, ...client } })).servers.get('one')
    expect(server?.supervision).toEqual(troupe)
    expect(server?.client).toEqual(client)
  })

  it('has settings for what stands over the servers, with absolute paths', () => {
    const rules = [{ tool: 'fs_*', decision: 'allow', under: `\${HOME}` }]
    const roots = { fs_: 'docs', '': '/srv' }
    const troupe = { rules, roots, grantsFile: 'grants.json', floor: false }
    expect(understand({ mcpServers: {}, troupe }, { HOME: '/home/ada' }).settings).toEqual({
      rules: [{ tool: 'fs_*', decision: 'allow', under: '/home/ada' }],
      roots: { fs_: '/project/docs', '': '/srv' },
      grantsFile: '/project/grants.json',
      floor: false,
    })
    expect(understand({ mcpServers: {} }).settings).toEqual({ floor: true })
  })

  it('keeps a disabled server by its name only, whatever else is wrong with it', () => {
    const config = {
      mcpServers: { off: { command: `\${UNSET}`, args: 5, disabled: true }, on: { command: 'x' } },
    }
    const { servers, disabled } = understand(config)
    expect([...servers.keys()]).toEqual(['on'])
    expect(disabled).toEqual(['off'])
  })

  it('passes over keys of other programs, and says so', () => {
    const { warnings } = understand({ ...entry({ autoApprove: ['a'], timeout: 5 }), globalShortcut: '' })
    expect(warnings).toEqual([
      'globalShortcut: is not known here and was passed over (.mcp.json:11:21)',
      'mcpServers.one.autoApprove: is not known here and was passed over (.mcp.json:5:22)',
      'mcpServers.one.timeout: is not known here and was passed over (.mcp.json:8:18)',
    ])
  })

  it('keeps names that objects have of their own', () => {
    const text = '{"mcpServers": {"__proto__": {"command": "a"}, "toString": {"command": "b"}}}'
    expect([...understand(text).servers.keys()]).toEqual(['__proto__', 'toString'])
  })
})

describe('a bad key is named with its path', () => {
  it.each<[path: string, config: unknown, reason: RegExp]>([
    ['mcpServers', { mcpServers: [] }, /must be an object, not an array/],
    ['mcpServers.one', { mcpServers: { one: 'node' } }, /must be an object, not a string/],
    ['mcpServers. ', { mcpServers: { ' ': { command: 'x' } } }, /no name/],
    ['mcpServers.one', { mcpServers: { one: { args: [] } } }, /command to run or a url .*; it has args/],
    ['mcpServers.one.comand', { mcpServers: { one: { comand: 'x' } } }, /did you mean command\?/],
    ['mcpServers.one.url', entry({ url: 'http://localhost/' }), /stands beside a command/],
    ['mcpServers.one.headers', entry({ headers: {} }), /belongs to a url/],
    [
      'mcpServers.one.env',
      { mcpServers: { one: { url: 'http://localhost/', env: {} } } },
      /belongs to a command/,
    ],
    ['mcpServers.one.type', entry({ type: 'http' }), /must be stdio beside a command/],
    [
      'mcpServers.one.type',
      { mcpServers: { one: { url: 'http://localhost/', type: 'stdio' } } },
      /must be http or sse/,
    ],
    ['mcpServers.one.type', entry({ type: 'ws' }), /must be one of stdio, http, sse/],
    ['mcpServers.one.command', entry({ command: '' }), /must be a non-empty string, not an empty one/],
    ['mcpServers.one.args', entry({ args: '-y' }), /must be an array, not a string/],
    ['mcpServers.one.args.1', entry({ args: ['--port', 80] }), /must be a string, not 80/],
    ['mcpServers.one.env.A', entry({ env: { A: null } }), /must be a string, not null/],
    ['mcpServers.one.disabled', entry({ disabled: 'yes' }), /must be true or false, not a string/],
    ['mcpServers.one.url', { mcpServers: { one: { url: 'example.com' } } }, /is no URL/],
    [
      'mcpServers.one.headers.A',
      { mcpServers: { one: { url: 'http://localhost/', headers: { A: 5 } } } },
      /must be a string/,
    ],
    ['mcpServers.one.troupe', entry({ troupe: [] }), /must be an object/],
    ['mcpServers.one.troupe.maxRestart', entry({ troupe: { maxRestart: 5 } }), /did you mean maxRestarts\?/],
    ['mcpServers.one.troupe.onLog', entry({ troupe: { onLog: 'x' } }), /is no key here/],
    [
      'mcpServers.one.troupe.restart',
      entry({ troupe: { restart: 'always' } }),
      /permanent, transient, temporary/,
    ],
    ['mcpServers.one.troupe.maxRestarts', entry({ troupe: { maxRestarts: 1.5 } }), /whole number/],
    ['mcpServers.one.troupe.backoff.jitter', entry({ troupe: { backoff: { jitter: 2 } } }), /from 0 to 1/],
    [
      'mcpServers.one.troupe.backoff.initial',
      entry({ troupe: { backoff: { initial: 2 } } }),
      /did you mean initialMs\?/,
    ],
    ['mcpServers.one.troupe.deny.0', entry({ troupe: { deny: [5] } }), /non-empty string/],
    ['mcpServers.one.troupe.era', entry({ troupe: { era: 'old' } }), /must be one of auto, modern, legacy/],
    ['mcpServers.one.troupe.probeTimeoutMs', entry({ troupe: { probeTimeoutMs: -1 } }), /milliseconds/],
    ['mcpServers.one.troupe.proxy', entry({ troupe: { proxy: true } }), /is no key here/],
    ['servers', { mcpServers: {}, servers: {} }, /stands beside mcpServers/],
    ['mcpservers', { mcpservers: {} }, /did you mean mcpServers\?/],
    ['troupe.floor', { mcpServers: {}, troupe: { floor: 'no' } }, /must be true or false/],
    ['troupe.rule', { mcpServers: {}, troupe: { rule: [] } }, /did you mean rules\?/],
    ['troupe.rules.0', { mcpServers: {}, troupe: { rules: ['x'] } }, /must be an object/],
    ['troupe.leases', { mcpServers: {}, troupe: { leases: true } }, /is no key here/],
  ])('%s', (path, config, reason) => {
    const error = complaint(config)
    expect(error.path.join('.')).toBe(path)
    expect(error.message).toMatch(reason)
    expect(error.message).toMatch(/\(\.mcp\.json:\d+:\d+\)$/)
  })

  it('two servers with one prefix', () => {
    const config = { mcpServers: { a: { command: 'x' }, b: { command: 'y', troupe: { prefix: 'a' } } } }
    expect(complaint(config)).toMatchObject({ path: ['mcpServers', 'b'] })
  })

  it('with line and column of its value', () => {
    const text = '{\n  "mcpServers": {\n    "a": { "command": "x", "args": [1] }\n  }\n}'
    expect(complaint(text).message).toBe('mcpServers.a.args.0: must be a string, not 1 (.mcp.json:3:37)')
  })

  it('without the value, which may be a secret', () => {
    const secret = 'sk-0123456789abcdef'
    const wrong = [
      entry({ env: secret }),
      entry({ env: { A: [secret] } }),
      entry({ troupe: secret }),
      entry({ troupe: { restart: secret } }),
      { mcpServers: { one: { url: `ftp://user:${secret}@host/` } } },
      { mcpServers: { one: { url: `https://user:${secret}@host/` } } },
      { mcpServers: { one: { url: 'https://host/', headers: secret } } },
    ]
    for (const config of wrong) expect(complaint(config).message).not.toContain(secret)
  })
})

describe('text that is no JSON', () => {
  it.each([
    ['{"mcpServers": {', '.mcp.json:1:17'],
    ['{\n  "mcpServers": {} "troupe": {}\n}', '.mcp.json:2:20'],
    ['mcpServers: {}', '.mcp.json:1:1'],
  ])('is refused with line and column: %j', (text, spot) => {
    expect(complaint(text).message).toContain(`${spot}: is no valid JSON: `)
  })

  it('is refused when there is none', () => {
    expect(complaint('').message).toMatch(/^\.mcp\.json: is empty/)
    expect(complaint('[]').message).toMatch(/^\.mcp\.json:1:1: must be an object, not an array/)
    expect(complaint('{}').message).toMatch(/^\.mcp\.json:1:1: has no mcpServers; write /)
  })

  it.each([1000, 100_000])('is refused when it is nested %i levels deep', (depth) => {
    expect(complaint('{"mcpServers":'.repeat(depth)).message).toMatch(/nested too deeply|no valid JSON/)
    expect(complaint('['.repeat(depth) + ']'.repeat(depth)).message).toContain('is nested too deeply')
  })

  it('is refused when a key is there twice: neither is lost in silence', () => {
    const error = complaint('{"mcpServers": {"a": {"command": "x"},\n"a": {"command": "y"}}}')
    expect(error).toMatchObject({ path: ['mcpServers', 'a'] })
    expect(error.message).toContain('is there twice; keep one of them (.mcp.json:2:6)')
  })
})
