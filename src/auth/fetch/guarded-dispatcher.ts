import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from '../../transports/http/undici.ts'
import { checkAddress, type TargetRules } from './check-target.ts'
import type { Lookup } from './lookup.ts'

/** Connects to no address but those that were checked: what a name means is asked once, by the connection itself. */
export function guardedDispatcher(
  rules: TargetRules,
  lookup: Lookup,
  connectTimeoutMs: number,
  isProxied: boolean,
): Dispatcher {
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: guarded(lookup, rules) })
  if (!isProxied) return new Agent({ connect, ...brief })
  const tls = { timeout: connectTimeoutMs }
  // Its own connections, for what NO_PROXY names, are guarded; those to the proxy are not for us to judge.
  return new EnvHttpProxyAgent({
    connect,
    ...brief,
    proxyTls: tls,
    requestTls: tls,
    proxyTunnel: false,
  })
}

/** One bad address spoils all: who hands it out beside good ones does not do so by accident. */
function guarded(lookup: Lookup, rules: TargetRules): LookupFunction {
  return (hostname, { all }, callback) => {
    lookup(hostname)
      .then((addresses) => {
        for (const { address } of addresses) checkAddress(hostname, address, rules)
        const [first] = addresses
        if (all) callback(null, [...addresses])
        else callback(null, first?.address ?? '', first?.family)
      })
      .catch((error) => callback(error, ''))
  }
}

/** Questions come in a row, and then none for long. Milliseconds. */
const brief = { keepAliveTimeout: 250, keepAliveMaxTimeout: 250 }
