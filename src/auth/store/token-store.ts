/**
 * Where sign-ins are kept: texts by key, both of this package's own making. The texts are secrets; keys name only who issued a token
 * and for what. One store serves any number of clients.
 */
export interface TokenStore {
  /** Undefined where there is none. */
  read(key: string): Promise<string | undefined>
  write(key: string, value: string): Promise<void>
  /** One that is not there is removed already. */
  remove(key: string): Promise<void>
  keys(): Promise<readonly string[]>
  /**
   * Runs `action` while nobody else holds that key, here or in any other process that uses the same store: of several who find the same
   * token expired, one refreshes it. Rejects when the key cannot be had within a minute or so. Not to be nested for the same key.
   */
  locked<T>(key: string, action: () => Promise<T>): Promise<T>
}
