import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { connect, pathOf } from '../../e2e/harness.ts'

it('a program says on stderr whatever it logs, also what its client does not want to hear', async () => {
  const args = ['--import', 'tsx', pathOf('../server/programs/kit.ts')]
  const { client, stderr } = connect({ command: process.execPath, args, probeTimeoutMs: 60_000 })
  await client.callTool('count', { to: 1 })
  expect(await stderr.first((line) => line.includes('deep down'))).toBe('kit debug: deep down')
})

it('a program that says more than its client stayed for ends as it wants to', async () => {
  const args = ['--import', 'tsx', pathOf('../server/programs/late.ts')]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdout.destroy()
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([7, null])
})
