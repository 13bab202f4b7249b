import { expect, it } from 'vitest'
import { connect, pathOf } from '../../e2e/harness.ts'

it('a program says on stderr whatever it logs, also what its client does not want to hear', async () => {
  const args = ['--import', 'tsx', pathOf('../server/programs/kit.ts')]
  const { client, stderr } = connect({ command: process.execPath, args, probeTimeoutMs: 60_000 })
  await client.callTool('count', { to: 1 })
  expect(await stderr.first((line) => line.includes('deep down'))).toBe('kit debug: deep down')
})
