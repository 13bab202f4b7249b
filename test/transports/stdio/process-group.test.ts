import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { posixGroup, windowsTree } from '../../../src/transports/stdio/process-group.ts'
import { terminate } from '../../../src/transports/stdio/terminate.ts'
import { isRunning } from './harness.ts'

/** Starts a leader of its own group and then stops itself, so that nobody reaps that leader. */
const neglectful = `
  const leader = require('node:child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
  process.stdout.write(String(leader.pid), () => process.kill(process.pid, 'SIGSTOP'))
`

it.runIf(process.platform === 'linux')('a group of zombies is empty, though signals reach it', async () => {
  const parent = spawn(process.execPath, ['-e', neglectful])
  try {
    const [pid] = await once(parent.stdout, 'data')
    const leader = Number(pid)
    const group = posixGroup(leader)
    expect(group.isEmpty()).toBe(false)
    expect(await terminate(group, 60_000)).toBe(true)
    expect(process.kill(-leader, 0)).toBe(true)
    expect(group.isEmpty()).toBe(true)
    expect(isRunning(leader)).toBe(false)
  } finally {
    parent.kill('SIGKILL')
  }
})

it('a group that is empty is never signalled again', async () => {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
  const group = posixGroup(Number(child.pid))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(group.isEmpty()).toBe(true)
  expect(await terminate(group, 60_000)).toBe(false)
  await group.kill('SIGKILL')
})

it('on Windows the tree is ended by taskkill, as long as its root lives', async () => {
  const ran: unknown[] = []
  let hasExited = false
  const run = async (file: string, args: readonly string[]) => ran.push([file, ...args])
  const tree = windowsTree(4242, () => hasExited, run)
  await tree.kill('SIGTERM')
  hasExited = true
  expect(await terminate(tree, 60_000)).toBe(false)
  await tree.kill('SIGKILL')
  expect(ran).toEqual([['taskkill', '/pid', '4242', '/T', '/F']])
})
