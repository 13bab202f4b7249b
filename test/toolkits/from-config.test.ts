import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { McpServer } from '../../src/server/index.ts'
import { says, workspace } from './harness.ts'

it('a configuration file names the packs, and paths in it are seen from its folder', async () => {
  const { root } = workspace({ 'docs/a.txt': 'a', 'build/b.txt': 'b' })
  const config = {
    name: 'packs',
    tools: {
      FileSystem: { root: 'docs', readOnly: true },
      'FileSystem#build': { root: 'build', prefix: 'build' },
      Shell: { allow: [process.execPath], root: '.' },
    },
  }
  writeFileSync(join(root, 'server.json'), JSON.stringify(config))
  const server = await McpServer.fromConfig(join(root, 'server.json'))
  expect(await says(server, 'fs_read', { path: 'a.txt' })).toBe('a')
  expect(await says(server, 'build_list')).toBe('b.txt  1 B')
  const where = { command: process.execPath, args: ['-p', 'process.cwd()'] }
  expect(await says(server, 'sh_run', where)).toBe(`${root}\n`)
})

it.each([
  ['FileSystem', { rot: '.' }, /rot/],
  ['FileSystem', {}, /root/],
  ['FileSystem', { root: '.', maxEntries: 1.5 }, /maxEntries/],
  ['Shell', { allow: 'git' }, /allow/],
  ['Shell', { allow: ['git'], enviroment: [] }, /enviroment/],
])('a %s of %j is refused, and the key is named', async (name, config, message) => {
  await expect(McpServer.create({ name: 'packs', toolkits: [[name, config]] })).rejects.toThrow(message)
})
