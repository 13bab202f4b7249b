import { execa } from 'execa'
import { expect, it } from 'vitest'
import { pathOf } from '../../e2e/harness.ts'
import { stamp } from '../dispatch/harness.ts'

it('while a server is served, what else is written to stdout goes to stderr', async () => {
  const params = { name: 'shout', arguments: { text: 'hey' }, _meta: stamp() }
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`
  const args = ['--import', 'tsx', pathOf('../server/programs/noisy.ts')]
  const { stdout, stderr } = await execa(process.execPath, args, { input })
  const [before, message = '', after, ...more] = stdout.split('\n')
  expect([before, after, ...more]).toEqual(['noise: before', 'noise: after'])
  expect(JSON.parse(message)).toMatchObject({ id: 1, result: { content: [{ text: 'HEY' }] } })
  expect(stderr).toBe('noise: hey')
})
