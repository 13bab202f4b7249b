import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readConfig, type UnreadConfig } from '../../src/config/read-config.ts'
import { fromText } from '../../src/config/source-text.ts'
import { ConfigError } from '../../src/errors.ts'

export type Env = { readonly [name: string]: string | undefined }

/** Understands a configuration as it stands in `/project/.mcp.json`. */
export function understand(config: unknown, env: Env = {}): UnreadConfig {
  const text = typeof config === 'string' ? config : JSON.stringify(config, undefined, 2)
  return readConfig(fromText(text, '.mcp.json'), { env, folder: '/project' })
}

export function complaint(config: unknown, env: Env = {}): ConfigError {
  try {
    understand(config, env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    if (error instanceof ConfigError) return error
  }
  throw new Error('No complaint')
}

/** Of one server with the rest of its entry. */
export function entry(members: object): object {
  return { mcpServers: { one: { command: 'node', ...members } } }
}

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'mcp-troupe-config-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}
