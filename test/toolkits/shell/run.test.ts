import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConfigError, McpClient, ServerGoneError } from '../../../src/index.ts'
import { McpServer } from '../../../src/server/index.ts'
import { Shell, type ShellConfig } from '../../../src/toolkits/index.ts'
import { runProgram } from '../../../src/toolkits/shell/run-program.ts'
import { livingWith, pathOf } from '../../e2e/harness.ts'
import { does, refuses, says, snapshot, workspace } from '../harness.ts'
import { whileSwapping } from '../swapping.ts'

const node = process.execPath

function shell(config: Partial<ShellConfig> = {}, files = {}) {
  const places = workspace(files)
  const server = new McpServer({ name: 'shell', onLog: () => {} })
  server.plug(new Shell({ allow: [node], root: places.root, ...config }))
  return { ...places, server }
}

/** Runs a program that is given as text. */
function script(text: string, more = {}) {
  return { command: node, args: ['-e', text], ...more }
}

/** Sets a variable for programs that are let it through; whatever lives with it must be gone at the end. */
function marked(): string {
  const name = `TROUPE_TEST_${Math.random().toString(36).slice(2)}`
  process.env[name] = 'x'
  onTestFinished(() => {
    delete process.env[name]
    expect(livingWith(`${name}=x`)).toEqual([])
  })
  return name
}

describe('a program', () => {
  it('gets its arguments as they are, and answers with what it wrote', async () => {
    const { server } = shell()
    const args = ['$HOME', '`id`', '*', '; rm -rf x', '', 'a b', '"']
    const { content, is_error, structured_content } = await does(server, 'sh_run', {
      command: node,
      args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', ...args],
    })
    expect({ is_error, said: JSON.parse(content) }).toEqual({ is_error: false, said: args })
    expect(structured_content).toEqual({ exitCode: 0, signal: null, stdout: content, stderr: '' })
  })

  it('has no input to wait for', async () => {
    const { server } = shell()
    const read = 'process.stdin.on("data", () => {}).on("end", () => console.log("end"))'
    expect(await says(server, 'sh_run', script(read))).toBe('end\n')
  })

  it('that fails is a failure, with all it wrote', async () => {
    const { server } = shell()
    const failing = await does(
      server,
      'sh_run',
      script('console.log("out"); console.error("err"); process.exit(3)'),
    )
    expect(failing).toMatchObject({
      is_error: true,
      content: 'out\n\n[stderr]\nerr\n\n[it exited with code 3]',
      structured_content: { exitCode: 3, signal: null, stdout: 'out\n', stderr: 'err\n' },
    })
    const killed = await does(server, 'sh_run', script('process.kill(process.pid, "SIGKILL")'))
    expect(killed).toMatchObject({
      is_error: true,
      structured_content: { exitCode: null, signal: 'SIGKILL' },
    })
    expect(await says(server, 'sh_run', script(''))).toBe('[it wrote nothing, and exited with code 0]')
  })

  it('gets the variables that it may have, and no others', async () => {
    const [given, secret] = [marked(), marked()]
    const { server } = shell({ variables: ['PATH', given] })
    const { structured_content } = await does(
      server,
      'sh_run',
      script('console.log(Object.keys(process.env).join())'),
    )
    expect(structured_content).toMatchObject({ stdout: `PATH,${given}\n` })
    const usual = await says(shell().server, 'sh_run', script('console.log(Object.keys(process.env).join())'))
    expect(usual).toContain('PATH')
    expect(usual).not.toContain(secret)
  })

  it.each([
    'sh',
    'node',
    basename(node),
    `${node} `,
    `../${basename(node)}`,
    '',
    `/bin/../${node}`,
    'NODE',
    `${node}\0`,
  ])('that is not on the list is not run: %j', async (command) => {
    const { root, server } = shell()
    const args = ['-e', `require("fs").writeFileSync(${JSON.stringify(join(root, 'x'))}, "")`]
    const before = snapshot(root)
    expect(await refuses(server, 'sh_run', { command, args })).toMatch(/only these programs are run here/)
    expect(snapshot(root)).toEqual(before)
  })

  it('that cannot be started, or whose arguments cannot be passed, is a failure', async () => {
    const { server } = shell({ allow: ['no-such-program', node] })
    expect(await refuses(server, 'sh_run', { command: 'no-such-program' })).toContain(
      'not found in PATH, which is',
    )
    expect(await refuses(server, 'sh_run', { command: node, args: ['a\0b'] })).toContain(
      'args[0] holds a NUL byte',
    )
    expect(await refuses(server, 'sh_run', { command: node, args: [1] })).toContain('must be string')
    expect(await refuses(server, 'sh_run', { command: node, args: ['x'.repeat(2 ** 22)] })).toContain(
      'Cannot run',
    )
  })

  it('of which a part is missing is a failure that says so', async () => {
    const { root } = workspace({ tool: '#!/no/such/interpreter\n' })
    chmodSync(join(root, 'tool'), 0o755)
    const server = new McpServer({ name: 'shell', onLog: () => {} })
    server.plug(new Shell({ root, allow: [join(root, 'tool')] }))
    expect(await refuses(server, 'sh_run', { command: join(root, 'tool') })).toContain(
      'but the interpreter in its first line does not',
    )
  })

  it('of a name on the list is never one that lies below the root', async () => {
    const { root, server } = shell(
      { allow: ['node'] },
      { 'bin/node': '#!/bin/sh\necho fake', node: '#!/bin/sh\necho fake' },
    )
    for (const path of ['bin/node', 'node']) chmodSync(join(root, path), 0o755)
    symlinkSync(join(root, 'bin'), `${root}-bin`)
    const { PATH } = process.env
    process.env.PATH = [join(root, 'bin'), `${root}-bin`, '.', '', dirname(node)].join(delimiter)
    onTestFinished(() => {
      process.env.PATH = PATH
    })
    expect(await says(server, 'sh_run', { command: 'node', args: ['-p', '1 + 1'] })).toBe('2\n')
  })
})

describe('the directory a program starts in', () => {
  const where = script('console.log(process.cwd())')

  it('is the root, or one below', async () => {
    const { root, server } = shell()
    mkdirSync(join(root, 'a/b'), { recursive: true })
    symlinkSync('a', join(root, 'link'))
    expect(await says(server, 'sh_run', where)).toBe(`${root}\n`)
    expect(await says(server, 'sh_run', { ...where, cwd: 'a/b' })).toBe(`${root}/a/b\n`)
    expect(await says(server, 'sh_run', { ...where, cwd: `${root}/link` })).toBe(`${root}/a\n`)
  })

  it.each([
    '..',
    'a/../..',
    '/',
    '../outside',
    'link-out',
    'link-out/folder',
    'file',
    'nothing',
    'a\0',
    'x'.repeat(300),
  ])('cannot be %j', async (cwd) => {
    const { root, outside, server } = shell({}, { 'a/x': '', file: '' })
    symlinkSync(outside, join(root, 'link-out'))
    const before = [snapshot(root), snapshot(outside)]
    await refuses(server, 'sh_run', { ...script('require("fs").writeFileSync("written", "")'), cwd })
    expect([snapshot(root), snapshot(outside)]).toEqual(before)
  })
})

it('the directory a program starts in is never outside, while another process swaps it for a symlink', async () => {
  const { root, outside, server } = shell({ allow: ['pwd'] }, { 'dir/a': '', 'file.txt': '' })
  await whileSwapping({ root, outside }, async () => {
    for (let round = 0; round < 60; round += 1) {
      const { content, is_error } = await does(server, 'sh_run', { command: 'pwd', args: ['-P'], cwd: 'dir' })
      if (!is_error) expect([`${root}/dir\n`, `${root}/.spare\n`]).toContain(content)
      expect(content).not.toContain('outside')
    }
  })
})

describe('what it writes', () => {
  it('is cut in the middle when it is long, and characters are left whole', async () => {
    const { server } = shell({ keepBytes: 101 })
    const writes = 'process.stdout.write("ä".repeat(1000) + "!"); process.stderr.write("e".repeat(101))'
    const { structured_content } = await does(server, 'sh_run', script(writes))
    expect(structured_content).toMatchObject({
      stdout: `${'ä'.repeat(25)}\n[… 1900 bytes are not shown …]\n${'ä'.repeat(24)}!`,
      stderr: 'e'.repeat(101),
    })
  })

  it('ends it when it is too much', async () => {
    const name = marked()
    const { server } = shell({ maxOutputBytes: 100_000, keepBytes: 100, variables: [name] })
    const { content, is_error, structured_content } = await does(
      server,
      'sh_run',
      script('const write = () => process.stdout.write("y\\n".repeat(500), write); write()'),
    )
    expect({ is_error, structured_content }).toMatchObject({
      is_error: true,
      structured_content: { endedFor: 'output' },
    })
    expect(content.length).toBeLessThan(500)
    expect(content).toContain('[it was ended, since it wrote too much')
  })
})

describe('the end of a program', () => {
  /** Starts another program of its kind, and neither of them heeds SIGTERM. */
  const stubborn = `
    process.on('SIGTERM', () => {})
    if (process.argv.length < 2) require('child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)', 'x'], { stdio: 'inherit' })
    setInterval(() => {}, 1000)
    console.log('up')`

  it('comes when its time is over, with all that it started', async () => {
    const name = marked()
    const { server } = shell({ variables: [name], killGraceMs: 10 })
    const result = await does(server, 'sh_run', script(stubborn, { timeoutMs: 1_000 }))
    expect(result).toMatchObject({
      is_error: true,
      structured_content: { exitCode: null, signal: 'SIGKILL', endedFor: 'timeout' },
    })
    expect(result.content).toContain('[it was ended, since it ran longer than 1000 ms]')
    expect(livingWith(`${name}=x`)).toEqual([])
  })

  it('comes when nobody waits any more', async () => {
    const name = marked()
    const { root } = workspace()
    const controller = new AbortController()
    const running = runProgram({
      ...{ command: node, args: ['-e', `${stubborn}; require('fs').mkdirSync('up')`], cwd: root },
      ...{ env: { [name]: 'x' }, signal: controller.signal, timeoutMs: 60_000 },
      ...{ keepBytes: 100, maxOutputBytes: 100, killGraceMs: 10 },
    })
    for await (const { filename } of watch(root)) if (filename === 'up') break
    controller.abort()
    expect(await running).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      endedFor: 'cancelled',
      stdout: 'up\n',
    })
    expect(livingWith(`${name}=x`)).toEqual([])
  })

  it('comes with that of its server', async () => {
    const name = marked()
    const { root } = workspace()
    const args = ['--import', 'tsx', pathOf('../toolkits/shell/fixtures/server.ts'), root, name]
    const client = McpClient.connectStdio({ command: node, args, probeTimeoutMs: 60_000, hosting: 'inline' })
    onTestFinished(() => client.close())
    const endless = script('setInterval(() => {}, 1000); require("fs").mkdirSync("up")')
    const running = client.callTool('sh_run', endless).catch((error: unknown) => error)
    for await (const { filename } of watch(root)) if (filename === 'up') break
    process.kill(client.processId ?? expect.fail('no server'), 'SIGTERM')
    expect(await running).toBeInstanceOf(ServerGoneError)
    await vi.waitFor(() => expect(livingWith(`${name}=x`)).toEqual([]))
  })

  it('is also that of what it leaves behind', async () => {
    const name = marked()
    const { server } = shell({ variables: [name] })
    const leaving = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref(); console.log('done')`
    expect(await says(server, 'sh_run', script(leaving))).toBe('done\n')
    expect(livingWith(`${name}=x`)).toEqual([])
  })

  it('has to come before others may run', async () => {
    const { server } = shell({ maxPrograms: 1 })
    const results = await Promise.all([1, 2].map(() => does(server, 'sh_run', script('console.log(1)'))))
    expect(results.map(({ content }) => content)).toEqual([
      '1\n',
      expect.stringContaining('1 programs are running'),
    ])
    expect(await says(server, 'sh_run', script('console.log(1)'))).toBe('1\n')
  })

  it('cannot be later than the configuration says', async () => {
    const { server } = shell({ timeoutMs: 500 })
    expect(await refuses(server, 'sh_run', script('', { timeoutMs: 501 }))).toContain('must be <= 500')
    expect(await refuses(server, 'sh_run', script('setInterval(() => {}, 1000)'))).toContain(
      'longer than 500 ms',
    )
  })
})

it.each([
  ['allow', {}, /allow: is missing/],
  ['allow', { allow: [] }, /allow: must be a non-empty array/],
  ['allow', { allow: ['./x'] }, /allow: must be a non-empty array of names and absolute paths/],
  ['alow', { alow: ['x'] }, /alow: is no option; known are allow, root/],
  ['root', { allow: ['x'], root: '/there/is/nothing' }, /root: must be a directory that is there/],
  ['timeoutMs', { allow: ['x'], timeoutMs: '5' }, /timeoutMs: must be a whole number above 0/],
])('%s is named in the configuration %j', (_, config, message) => {
  expect(() => new Shell(config as never)).toThrow(ConfigError)
  expect(() => new Shell(config as never)).toThrow(message)
})
