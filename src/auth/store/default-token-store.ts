import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { checkOptions, object, text } from '../../check-options.ts'
import { settlesWithin } from '../../settles-within.ts'
import { FileTokenStore, type Sealing } from './file-token-store.ts'
import { keychainSealing } from './keychain.ts'
import type { TokenStore } from './token-store.ts'

export interface DefaultTokenStoreOptions {
  /** Default `process.env`. */
  readonly env?: { readonly [name: string]: string | undefined }
  /** Default `process.platform`. */
  readonly platform?: NodeJS.Platform
}

/**
 * Where the command line keeps sign-ins, and any host that wants to share them: `mcp-troupe/sign-ins` in the folder for configuration
 * (`XDG_CONFIG_HOME` or `~/.config`; `~/Library/Application Support`; `%APPDATA%`). They are sealed under a key of the system's keychain
 * where that works, and else stand there as they are, readable by their owner alone. `TROUPE_SIGN_INS` names another folder, where they are
 * never sealed. Nothing is opened before it is needed. @throws ConfigError
 */
export function defaultTokenStore(options: DefaultTokenStoreOptions = {}): TokenStore {
  checkOptions(options, { env: object, platform: text })
  const { env = process.env, platform = process.platform } = options
  const chosen = env.TROUPE_SIGN_INS
  if (chosen) return new FileTokenStore(chosen)
  const folder = join(configFolder(env, platform), 'mcp-troupe', 'sign-ins')
  return new FileTokenStore(folder, { sealing: () => workingKeychain(folder) })
}

function configFolder(env: DefaultTokenStoreOptions['env'] & {}, platform: NodeJS.Platform): string {
  const home = env.HOME || env.USERPROFILE || homedir()
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  const { XDG_CONFIG_HOME: xdg = '' } = env
  // A relative one is to be ignored, says its specification.
  return isAbsolute(xdg) ? xdg : join(home, '.config')
}

/** One that nobody unlocks works as little as one that is not there. */
async function workingKeychain(folder: string): Promise<Sealing | undefined> {
  const opening = keychainSealing(folder)
  const isSettled = await settlesWithin(opening, unlockMs)
  return isSettled ? opening.catch(() => undefined) : undefined
}

const unlockMs = 60_000
