import type { SignIn } from '../../auth/sign-ins.ts'
import { oneLine } from '../text/printable.ts'
import type { Style } from '../text/style.ts'

/** A sign-in for a person. */
export function signInText(
  { issuer, resource, scopes, expiresAtMs, canRefresh }: SignIn,
  style: Style,
): string {
  const facts = [
    ['issuer', oneLine(issuer)],
    ['scopes', scopes.map(oneLine).join(' ') || 'not said'],
    [
      'expires',
      `${expiresAtMs === undefined ? 'not said' : instant(expiresAtMs)}${canRefresh ? ', then refreshed' : ''}`,
    ],
  ]
  return [
    style.bold(oneLine(resource)),
    ...facts.map(([name = '', value]) => `  ${name.padEnd(9)}${value}`),
  ].join('\n')
}

/** The same for a program. */
export function signInDocument({ expiresAtMs, ...rest }: SignIn): object {
  return { ...rest, ...(expiresAtMs !== undefined && { expiresAt: instant(expiresAtMs) }) }
}

/** Also of a time that no calendar has. */
function instant(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? 'at no time' : date.toISOString()
}
