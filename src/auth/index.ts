export type { AuthOptions, OnRedirect } from './auth-options.ts'
export { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from './fetch/guarded-fetch.ts'
export {
  type InteractiveSignIn,
  type InteractiveSignInOptions,
  interactiveSignIn,
} from './sign-in/interactive-sign-in.ts'
export { findSignIn, listSignIns, removeAllSignIns, removeSignIn, type SignIn } from './sign-ins.ts'
export { type DefaultTokenStoreOptions, defaultTokenStore } from './store/default-token-store.ts'
export { FileTokenStore, type FileTokenStoreOptions } from './store/file-token-store.ts'
export { KeychainTokenStore } from './store/keychain-token-store.ts'
export { MemoryTokenStore } from './store/memory-token-store.ts'
export type { TokenStore } from './store/token-store.ts'
