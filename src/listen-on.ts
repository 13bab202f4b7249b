import type { AddressInfo, Server } from 'node:net'
import { ConfigError } from './errors.ts'
import { quietly } from './quietly.ts'
import { Warnings } from './warnings.ts'

/**
 * Listens, and resolves with the port; 0 picks one. A connection that cannot be taken later, as when no file can be opened any more, ends
 * nothing, and `onWarn` is told. @throws ConfigError when the address cannot be had
 */
export function listenOn(
  server: Server,
  port: number,
  host: string,
  onWarn?: (message: string) => void,
): Promise<number> {
  const warnings = new Warnings(quietly(onWarn))
  return new Promise((resolve, reject) => {
    server.on('error', (cause) => {
      if (server.listening) return warnings.warn('a connection could not be taken', cause.message)
      const reason = `cannot listen on ${hostInUrl(host)}:${port}: ${cause.message}`
      reject(new ConfigError({ path: ['port'], reason }, { cause }))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
