import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from '../../../src/index.ts'
import { McpServer } from '../../../src/server/index.ts'
import { Shell } from '../../../src/toolkits/index.ts'
import { does, refuses, says, snapshot, workspace } from '../harness.ts'
import { whileSwapping } from '../swapping.ts'
import { marked, node, script, shell } from './harness.ts'

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
    expect(await refuses(server, 'sh_run', { command: node, args: [1] })).toContain('must be a string')
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

describe('a name', () => {
  /** Whoever writes below the root has a program of that name in every place that may be looked in. */
  it.each([
    ['a folder below the root', (root: string) => [join(root, 'bin')]],
    ['the root itself', (root: string) => [root]],
    ['a symlink that leads there', (root: string) => [`${root}-bin`]],
    ['a symlink below the root that leads out', (root: string) => [join(root, 'link-out')]],
    ['where the program starts', () => ['.', 'bin', '']],
    ['nothing', () => []],
  ])('is looked for nowhere when PATH is %s', async (_, folders) => {
    const { root, outside, server } = shell({ allow: ['tool', node] })
    for (const folder of [root, join(root, 'bin'), outside]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'tool'), '#!/bin/sh\necho fake', { mode: 0o755 })
    }
    symlinkSync(join(root, 'bin'), `${root}-bin`)
    symlinkSync(outside, join(root, 'link-out'))
    const { PATH } = process.env
    process.env.PATH = folders(root).join(delimiter)
    onTestFinished(() => {
      process.env.PATH = PATH
    })
    for (const cwd of ['.', 'bin'])
      expect(await refuses(server, 'sh_run', { command: 'tool', cwd })).toContain('no folder of PATH')
    // Nor do programs look anywhere for what they run.
    expect(await says(server, 'sh_run', script('console.log("PATH" in process.env)'))).toBe('false\n')
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

it.each([
  ['allow', {}, /allow: is missing/],
  ['allow', { allow: [] }, /allow: must be a non-empty array/],
  ['allow', { allow: ['./x'] }, /allow: must be a non-empty array of names and absolute paths/],
  ['alow', { alow: ['x'] }, /alow: is no option; did you mean allow/],
  ['root', { allow: ['x'], root: '/there/is/nothing' }, /root: must be a directory that is there/],
  ['timeoutMs', { allow: ['x'], timeoutMs: '5' }, /timeoutMs: must be a whole number above 0/],
])('%s is named in the configuration %j', (_, config, message) => {
  expect(() => new Shell(config as never)).toThrow(ConfigError)
  expect(() => new Shell(config as never)).toThrow(message)
})
