import { leadsToLoopback } from '../loopback.ts'

/** Whether a redirect ends on this machine: on loopback, or with an application that has a scheme of its own. */
export function isAtHome(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri)
  return protocol !== 'https:' || leadsToLoopback(hostname)
}

/** What is wrong with a redirect URI, or undefined. */
export function redirectComplaint(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'must be a URL'
  const { protocol, hostname, hash } = new URL(value)
  if (hash !== '') return 'must have no fragment'
  if (protocol === 'http:' && !leadsToLoopback(hostname)) return 'must be https, or http on this machine'
  return /^(javascript|data|file|vbscript|about|blob|ws|wss|ftp):$/.test(protocol)
    ? `must not begin with ${protocol}`
    : undefined
}
