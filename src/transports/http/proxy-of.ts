import { ConfigError } from '../../errors.ts'
import { leadsToLoopback } from '../../loopback.ts'
import type { Endpoint } from './endpoint.ts'

/** The host of the proxy that the environment names for an endpoint; `NO_PROXY` is left to undici. @throws ConfigError for one that is no URL */
export function proxyOf({ origin, socketPath }: Pick<Endpoint, 'origin' | 'socketPath'>): string | undefined {
  const { protocol, hostname } = new URL(origin)
  if (socketPath !== undefined || leadsToLoopback(hostname)) return undefined
  const names = protocol === 'https:' ? [...httpsVariables, ...httpVariables] : httpVariables
  const name = names.find((one) => process.env[one])
  if (name === undefined) return undefined
  const value = process.env[name] ?? ''
  if (!URL.canParse(value))
    throw new ConfigError({
      path: ['proxy'],
      reason: `the environment variable ${name} holds no URL; write http://host:port`,
    })
  return new URL(value).host
}

const httpVariables = ['http_proxy', 'HTTP_PROXY']
const httpsVariables = ['https_proxy', 'HTTPS_PROXY']
