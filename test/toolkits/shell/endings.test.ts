import { watch } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { McpClient, ServerGoneError } from '../../../src/index.ts'
import { runProgram } from '../../../src/toolkits/shell/run-program.ts'
import { livingWith, pathOf } from '../../e2e/harness.ts'
import { does, refuses, says, workspace } from '../harness.ts'
import { marked, node, script, shell } from './harness.ts'

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
      structured_content: { exitCode: null, endedFor: 'timeout' },
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
    await vi.waitFor(() => expect(livingWith(`${name}=x`)).toEqual([]), { timeout: 30_000 })
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
