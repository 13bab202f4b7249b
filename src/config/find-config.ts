import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { isTrustedOwner } from '../trusted-owner.ts'

/** A path as it was given, from a folder; without one what `findConfig` finds. */
export async function configPath(given: string | undefined, from: string): Promise<string | undefined> {
  return given === undefined ? findConfig(from) : resolve(from, given)
}

/**
 * The configuration of the project a folder belongs to: `.mcp.json`, else `.vscode/mcp.json`, of the folder itself, else of the
 * nearest one above it that has either. Undefined when there is none.
 * @throws ConfigError when the one found belongs to another user: what it names would run as us
 */
export async function findConfig(from: string): Promise<string | undefined> {
  const folder = resolve(from)
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) continue
    if (!isTrustedOwner(found.uid))
      throw new ConfigError({
        path: [path],
        reason: 'belongs to another user; name it yourself if you trust it',
      })
    return path
  }
  const above = dirname(folder)
  return above === folder ? undefined : findConfig(above)
}

const names = ['.mcp.json', join('.vscode', 'mcp.json')]
