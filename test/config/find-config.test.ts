import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findConfig } from '../../src/config/find-config.ts'
import { temporaryFolder } from './harness.ts'

it('finds the nearest above, and .mcp.json before .vscode/mcp.json', async () => {
  await using folder = await temporaryFolder()
  const inner = join(folder.path, 'a', 'b')
  const editors = join(folder.path, 'a', '.vscode')
  await mkdir(inner, { recursive: true })
  await mkdir(editors)
  const found = () => findConfig(inner)

  await writeFile(join(folder.path, '.mcp.json'), '{}')
  expect(await found()).toBe(join(folder.path, '.mcp.json'))
  await writeFile(join(editors, 'mcp.json'), '{}')
  expect(await found()).toBe(join(editors, 'mcp.json'))
  await writeFile(join(folder.path, 'a', '.mcp.json'), '{}')
  expect(await found()).toBe(join(folder.path, 'a', '.mcp.json'))
  await mkdir(join(inner, '.mcp.json'))
  expect(await found()).toBe(join(folder.path, 'a', '.mcp.json'))
})

it.skipIf(process.getuid?.() !== 0)('does not run what another user put in the way', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, '.mcp.json')
  await writeFile(path, '{}')
  await chown(path, 12345, 12345)
  await expect(findConfig(folder.path)).rejects.toThrow(`${path}: belongs to another user`)
})
