import { checkOptions, milliseconds, object } from '../../check-options.ts'
import { FileTokenStore, type FileTokenStoreOptions } from './file-token-store.ts'
import { keychainSealing } from './keychain.ts'

/**
 * Sign-ins that only who is logged in can read: as `FileTokenStore` keeps them, but sealed under a key of the operating system's keychain.
 * Needs the package `@napi-rs/keyring`, and on Linux a secret service (GNOME keyring, KWallet). Its methods throw a ConfigError where
 * there is no keychain, or it stays locked.
 */
export class KeychainTokenStore extends FileTokenStore {
  /** @throws ConfigError */
  constructor(folder: string, options: Omit<FileTokenStoreOptions, 'sealing'> = {}) {
    checkOptions(options, { lockTimeoutMs: milliseconds, clock: object })
    super(folder, { ...options, sealing: () => keychainSealing(this.folder) })
  }
}
