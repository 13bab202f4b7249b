import { defaultTokenStore } from '../../auth/store/default-token-store.ts'
import type { TokenStore } from '../../auth/store/token-store.ts'
import { parseTokens } from '../../auth/tokens/stored-tokens.ts'
import type { HidingIo } from '../hiding-io.ts'

/** The sign-ins of the command line. Whatever token comes along is hidden in all that is said from then on. */
export function signInsOf({ env, hide }: Pick<HidingIo, 'env' | 'hide'>): TokenStore {
  const store = defaultTokenStore({ env })
  const hiding = <Text extends string | undefined>(text: Text): Text => {
    const { accessToken, refreshToken, client, dpopKey } = parseTokens(text) ?? {}
    const secrets = [accessToken, refreshToken, client?.client_secret, dpopKey?.d]
    hide(secrets.filter((secret) => secret !== undefined))
    return text
  }
  return {
    read: async (key) => hiding(await store.read(key)),
    write: (key, value) => store.write(key, hiding(value)),
    remove: (key) => store.remove(key),
    keys: () => store.keys(),
    locked: (key, action) => store.locked(key, action),
  }
}
