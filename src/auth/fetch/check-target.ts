import { isIP } from 'node:net'
import { AuthorizationError } from '../../errors.ts'
import { leadsToLoopback } from '../../loopback.ts'
import { addressKind } from './address-kind.ts'

/** What may be asked. */
export interface TargetRules {
  readonly allowPrivateNetwork: boolean
  readonly allowLoopback: boolean
}

/** The URL, where it may be asked as far as it can be seen before its name is looked up. @throws AuthorizationError that says why not */
export function checkTarget(url: URL | string, rules: TargetRules): URL {
  if (!URL.canParse(String(url))) throw refusedTarget('What should be an address of authorization is no URL')
  const target = new URL(url)
  const { protocol, hostname, username, password } = target
  const shown = shownTarget(target)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw refusedTarget(`${protocol} is no way to ask for authorization; it must be https:`)
  if (username || password) throw refusedTarget(`${shown} holds credentials, which belong into no URL`)
  if (!rules.allowLoopback && mayBeLoopback(hostname))
    throw refusedTarget(`${shown} is this machine, which what a stranger says may not lead to`)
  if (protocol === 'http:' && !leadsToLoopback(hostname))
    throw refusedTarget(
      `${shown} is not encrypted; authorization goes over https: only, but for this machine itself`,
    )
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address)) checkAddress(hostname, address, rules)
  return target
}

/** Whether the address that a host's name turned out to have may be connected to. @throws AuthorizationError that says why not */
export function checkAddress(hostname: string, address: string, rules: TargetRules): void {
  const kind = addressKind(address)
  if (kind === 'public' && !mayBeLoopback(hostname)) return
  const mayBeHere = rules.allowLoopback && (leadsToLoopback(hostname) || rules.allowPrivateNetwork)
  if (kind === 'loopback' && mayBeHere) return
  if (kind === 'private' && rules.allowPrivateNetwork) return
  const remedy =
    kind === 'private' || kind === 'loopback'
      ? '; if that is where it should be, set allowPrivateNetwork'
      : ''
  throw refusedTarget(`${hostname} is at ${address}, ${meanings[kind]}${remedy}`)
}

/** Whatever may turn out to be this machine, also with a dot at its end or as IPv4 within IPv6: what strangers may not lead to. */
export function mayBeLoopback(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return leadsToLoopback(name) || addressKind(name.replace(/^\[|\]$/g, '')) === 'loopback'
}

/** Without its path and query, which may hold anything. */
export function shownTarget({ origin, protocol }: URL): string {
  return origin === 'null' ? protocol : origin
}

/** An address that is not asked, and why. */
export function refusedTarget(reason: string): AuthorizationError {
  return new AuthorizationError({ status: 0, reason })
}

const meanings = {
  public: 'which is not this machine',
  loopback: 'which is this machine under a name that does not say so',
  private: 'which is an address of a private network',
  linkLocal: 'which is an address of this machine’s own link',
  metadata: 'where clouds keep the secrets of their machines',
  reserved: 'which is no address to connect to',
} as const
