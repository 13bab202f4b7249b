import { type LookupAddress, lookup } from 'node:dns'

/** Finds every address of a host. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>

/** As connections find them: also in the hosts file. */
export const lookupInSystem: Lookup = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })
