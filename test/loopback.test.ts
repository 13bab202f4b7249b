import { describe, expect, it } from 'vitest'
import { checkTarget } from '../src/auth/fetch/check-target.ts'
import { redirectComplaint } from '../src/auth/redirect-uri.ts'
import { refusalOf } from '../src/server/http/admission.ts'

/** Every check that asks whether a host is this machine, and what it makes of one. */
const checks = {
  comes: (host: string) => refusalOf(`http://${host}`, undefined, {}) === undefined,
  isCalled: (host: string) => refusalOf(undefined, host, { allowedHosts: [] }) === undefined,
  comesBackTo: (host: string) => redirectComplaint(`http://${host}/back`) === undefined,
  asksInTheClear: (host: string) => asks(`http://${host}/`, true),
  asksForStrangers: (host: string) => asks(`https://${host}/`, false),
}

function asks(url: string, allowLoopback: boolean): boolean {
  try {
    return checkTarget(url, { allowLoopback, allowPrivateNetwork: false }) instanceof URL
  } catch {
    return false
  }
}

const trusted = {
  comes: true,
  isCalled: true,
  comesBackTo: true,
  asksInTheClear: true,
  asksForStrangers: false,
}
const reached = { ...trusted, comes: false, isCalled: false }
const shunned = { ...reached, comesBackTo: false, asksInTheClear: false }
const elsewhere = { ...shunned, asksForStrangers: true }

describe.each([
  ['is this machine', trusted, ['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.10', '[::1]']],
  [
    'is this machine, as URLs spell it',
    trusted,
    ['127.1', '2130706433', '0x7f.1', '127.0.0.1.', '１２７.0.0.1', '[0:0:0:0:0:0:0:1]'],
  ],
  ['is kept here by resolvers, but not by all', reached, ['app.localhost', 'a.b.LOCALHOST']],
  [
    'may turn out to be this machine',
    shunned,
    ['localhost.', 'app.localhost.', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]'],
  ],
  [
    'is no host to ask',
    shunned,
    ['0.0.0.0', '[::]', '10.0.0.1', '169.254.169.254', '256.0.0.1', '127.0.0.1.1'],
  ],
  [
    'is elsewhere',
    elsewhere,
    [
      'localhost.example',
      'mylocalhost',
      'local-host',
      'localhost.localdomain',
      '127.0.0.1.example',
      '128.0.0.1',
      '[2606:4700::1]',
    ],
  ],
] as const)('what %s', (_, expected, hosts) => {
  it.each(hosts)('%s', (host) => {
    const made = Object.entries(checks).map(([check, of]) => [check, of(host)])
    expect(Object.fromEntries(made)).toEqual(expected)
  })
})
