import { domainToASCII } from 'node:url'
import type { Answer } from '../../answer.ts'

/**
 * The host a URL names, in its ASCII form, without port, brackets and trailing dot. Undefined where readers of URLs differ, or
 * where it is not plain http or https: what cannot be compared for certain is no host.
 */
export function hostOf(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined
  const authority = /^https?:\/\/([^/?#]*)(?:[/?#]|$)/i.exec(url)?.[1]
  if (!authority || /[@\\%]/.test(authority) || hasHidden(url)) return undefined
  try {
    return comparable(new URL(url).hostname, authority)
  } catch {
    return undefined
  }
}

/** Reads `docs.example.org` or `*.example.org`; undefined for anything else. */
export function readHostPattern(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string' || hasHidden(pattern)) return undefined
  const [, prefix = '', host = ''] = /^(\*\.)?(.*)$/.exec(pattern) ?? []
  if (!/^(?:[^\s*/\\@?#%:[\]]+|\[[0-9a-f:.]+\]|[0-9a-f:.]*:[0-9a-f:.]*)$/i.test(host)) return undefined
  if (host.includes(':')) return prefix ? undefined : literalAddress(host)
  const ascii = withoutDot(domainToASCII(host))
  const isDisguised = /^\d+(?:\.\d+){3}$/.test(ascii) && ascii !== withoutDot(host)
  return ascii === '' || ascii.startsWith('.') || isDisguised ? undefined : `${prefix}${ascii}`
}

/** `pattern` as `readHostPattern` gave it. */
export function matchesHost(pattern: string, host: string | undefined): Answer {
  if (host === undefined) return 'unknown'
  const isMatch = pattern.startsWith('*.')
    ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
    : host === pattern
  return isMatch ? 'yes' : 'no'
}

/** An address in disguise (`0x7f.1`, `2130706433`) is read differently by different clients. */
function comparable(hostname: string, authority: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const isAddress = /^\d+(?:\.\d+){3}$/.test(bare)
  if (isAddress && authority.replace(/:\d*$/, '').replace(/\.$/, '') !== bare) return undefined
  const host = withoutDot(bare)
  const isPlain = host.includes(':') || /^[\w-]+(?:\.[\w-]+)*$/.test(host)
  return isPlain ? host : undefined
}

function literalAddress(host: string): string | undefined {
  try {
    return new URL(`http://[${host.replace(/^\[|\]$/g, '')}]/`).hostname.replace(/^\[|\]$/g, '')
  } catch {
    return undefined
  }
}

function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** Blanks and controls, which one reader drops and another ends at. */
function hasHidden(text: string): boolean {
  return /[\s\p{Cc}\p{Cf}]/u.test(text)
}
