import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { temporaryFolder } from './harness.ts'

const fs = { command: 'node', cwd: 'sub', envFile: 'vars.env', env: { B: 'own' } }

describe('a configuration is loaded', () => {
  it('from a file, whose folder its paths are relative to', async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'any.json')
    await writeFile(path, JSON.stringify({ mcpServers: { fs } }))
    await writeFile(join(folder.path, 'vars.env'), '\uFEFF# comment\nA="from the file"\nexport B=lost\n')
    const config = await loadConfig(path, {})
    expect(config.files).toEqual([path, join(folder.path, 'vars.env')])
    expect(config.servers.get('fs')).toMatchObject({
      spec: { cwd: join(folder.path, 'sub'), env: { A: 'from the file', B: 'own' } },
    })
    expect(config.servers.get('fs')?.secrets).toContain('from the file')
  })

  it('from .vscode, whose paths are relative to the folder above', async () => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, '.vscode'))
    const path = join(folder.path, '.vscode', 'mcp.json')
    await writeFile(path, JSON.stringify({ servers: { fs: { command: 'node' } } }))
    expect((await loadConfig(path, {})).servers.get('fs')?.spec).toMatchObject({ cwd: folder.path })
  })

  it('from an object, whose paths are relative to where we run', async () => {
    const config = await loadConfig({ mcpServers: { fs: { command: 'node' } } }, {})
    expect(config.files).toEqual([])
    expect(config.servers.get('fs')?.spec).toMatchObject({ cwd: process.cwd() })
  })
})

describe('what cannot be loaded', () => {
  it('is named: a file that is not there', async () => {
    const error = {
      name: 'ConfigError',
      message: expect.stringContaining('/nowhere/x.json: cannot be read as'),
    }
    await expect(loadConfig('/nowhere/x.json', {})).rejects.toMatchObject(error)
  })

  it('is named: an envFile that is not there, with its server', async () => {
    const error = {
      name: 'ConfigError',
      message: expect.stringMatching(/gone.env: .* the envFile of fs: ENOENT/),
    }
    const config = { mcpServers: { fs: { command: 'node', envFile: '/gone.env' } } }
    await expect(loadConfig(config, {})).rejects.toMatchObject(error)
  })

  it('is named: a bad value of an object, by its path', async () => {
    await expect(loadConfig({ mcpServers: { fs: { command: 5 } } }, {})).rejects.toMatchObject({
      path: ['mcpServers', 'fs', 'command'],
      message: 'mcpServers.fs.command: must be a non-empty string, not 5',
    })
  })
})
