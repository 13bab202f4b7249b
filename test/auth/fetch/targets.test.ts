import { describe, expect, it } from 'vitest'
import { addressKind } from '../../../src/auth/fetch/address-kind.ts'
import { checkAddress, checkTarget, type TargetRules } from '../../../src/auth/fetch/check-target.ts'
import { AuthorizationError } from '../../../src/errors.ts'

/** Names that somebody made lead where they should not. */
const names: { readonly [hostname: string]: readonly string[] } = {
  'issuer.example': ['8.8.8.8', '2606:4700::1111'],
  'issuer.example.': ['8.8.8.8'],
  'only-v6.example': ['2606:4700::1111'],
  'nat64.example': ['64:ff9b::808:808'],
  'rebound.example': ['127.0.0.1'],
  'rebound6.example': ['::1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'nat64-private.example': ['64:ff9b::a00:1'],
  'half.example': ['8.8.8.8', '192.168.1.1'],
  'intranet.example': ['10.1.2.3'],
  'zoned.example': ['fe80::1%eth0'],
  'metadata.google.internal': ['169.254.169.254'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
  'stolen.localhost': ['8.8.8.8'],
}

const strict = { allowPrivateNetwork: false, allowLoopback: true }
const lax = { allowPrivateNetwork: true, allowLoopback: true }
const remote = { allowPrivateNetwork: false, allowLoopback: false }

describe('an address may be asked', () => {
  it.each<[url: string, rules?: TargetRules]>([
    ['https://issuer.example/token'],
    ['https://issuer.example./token'],
    ['https://ISSUER.example:8443/a?b=c'],
    ['https://only-v6.example/'],
    ['https://nat64.example/'],
    ['https://8.8.8.8/'],
    ['https://[2606:4700::1111]/'],
    ['https://[::ffff:8.8.8.8]/'],
    ['https://134744072/'],
    ['http://localhost:3000/'],
    ['http://app.localhost/'],
    ['http://127.0.0.1:3000/'],
    ['http://127.1/'],
    ['http://127.8.9.10/'],
    ['http://0x7f.0.0.1/'],
    ['http://2130706433/'],
    ['http://[::1]:3000/'],
    ['https://[0:0:0:0:0:0:0:1]/'],
    ['https://10.0.0.1/', lax],
    ['https://intranet.example/', lax],
    ['https://half.example/', lax],
    ['https://rebound.example/', lax],
    ['https://[fd12::1]/', lax],
    ['https://100.64.0.1/', lax],
    ['https://issuer.example/', remote],
  ])('%s', (url, rules = strict) => {
    expect(() => ask(url, rules)).not.toThrow()
  })
})

describe('an address is refused', () => {
  it.each<[url: string, reason: RegExp, rules?: TargetRules]>([
    ['issuer.example', /is no URL/],
    ['', /is no URL/],
    ['https://', /is no URL/],
    ['https://[fe80::1%25eth0]/', /is no URL/],
    ['https://256.256.256.256/', /is no URL/],
    ['http://issuer.example/', /is not encrypted/],
    ['http://8.8.8.8/', /is not encrypted/],
    ['http://10.0.0.1/', /is not encrypted/],
    ['http://intranet.example/', /is not encrypted/, lax],
    ['http://localhost./', /is not encrypted/],
    ['http://[::ffff:127.0.0.1]/', /is not encrypted/],
    ['http://localhost.evil.example/', /is not encrypted/],
    ['http://127.0.0.1.evil.example/', /is not encrypted/],
    ['ftp://issuer.example/', /ftp: is no way to ask/],
    ['file:///etc/passwd', /file: is no way to ask/],
    ['data:text/plain,x', /data: is no way to ask/],
    ['javascript:alert(1)', /javascript: is no way to ask/],
    ['unix:/run/docker.sock:/x', /unix: is no way to ask/],
    ['https://me:hush@issuer.example/', /holds credentials/],
    ['https://issuer.example@127.0.0.1/', /holds credentials/],
    ['https://0.0.0.0/', /no address to connect to/],
    ['https://0/', /no address to connect to/],
    ['https://10.0.0.1/', /10\.0\.0\.1, which is an address of a private network; .* allowPrivateNetwork/],
    ['https://10.0.0.1./', /private network/],
    ['https://0xa000001/', /private network/],
    ['https://167772161/', /private network/],
    ['https://012.0.0.1/', /private network/],
    ['https://10.1/', /private network/],
    ['https://１０.0.0.1/', /private network/],
    ['https://172.16.0.1/', /private network/],
    ['https://172.31.255.255/', /private network/],
    ['https://192.168.0.1/', /private network/],
    ['https://100.64.0.1/', /private network/],
    ['https://169.254.1.1/', /own link/],
    ['https://169.254.1.1/', /own link/, lax],
    ['https://169.254.169.254/latest/meta-data', /secrets of their machines/],
    ['https://169.254.169.254/', /secrets of their machines/, lax],
    ['https://2852039166/', /secrets of their machines/],
    ['https://0251.0376.0251.0376/', /secrets of their machines/],
    ['https://metadata.google.internal/', /secrets of their machines/, lax],
    ['https://100.100.100.200/', /secrets of their machines/, lax],
    ['https://168.63.129.16/', /secrets of their machines/],
    ['https://[fd00:ec2::254]/', /secrets of their machines/, lax],
    ['https://[::ffff:169.254.169.254]/', /secrets of their machines/, lax],
    ['https://[::ffff:a9fe:a9fe]/', /secrets of their machines/, lax],
    ['https://[::]/', /no address to connect to/],
    ['https://[::ffff:0:0]/', /no address to connect to/],
    ['https://[::10.0.0.1]/', /private network/],
    ['https://[::ffff:10.0.0.1]/', /private network/],
    ['https://[64:ff9b::10.0.0.1]/', /private network/],
    ['https://[64:ff9b:1::1]/', /no address to connect to/],
    ['https://[2002:a00:1::]/', /no address to connect to/],
    ['https://[2001:0:a00:1::]/', /no address to connect to/],
    ['https://[2001:db8::1]/', /no address to connect to/],
    ['https://[fe80::1]/', /own link/, lax],
    ['https://[fc00::1]/', /private network/],
    ['https://[fd12:3456::1]/', /private network/],
    ['https://[ff02::1]/', /no address to connect to/],
    ['https://[4000::1]/', /no address to connect to/],
    ['https://192.0.2.1/', /no address to connect to/],
    ['https://198.18.0.1/', /no address to connect to/],
    ['https://203.0.113.9/', /no address to connect to/],
    ['https://224.0.0.1/', /no address to connect to/],
    ['https://255.255.255.255/', /no address to connect to/],
    ['https://rebound.example/', /rebound\.example is at 127\.0\.0\.1, which is this machine under a name/],
    ['https://rebound6.example/', /this machine under a name/],
    ['https://mapped.example/', /private network/],
    ['https://nat64-private.example/', /private network/],
    ['https://half.example/', /192\.168\.1\.1, which is an address of a private network/],
    ['https://intranet.example/', /private network/],
    ['https://zoned.example/', /no address to connect to/, lax],
    ['http://stolen.localhost/', /is not this machine/],
    ['https://localhost/', /this machine, which what a stranger says may not lead to/, remote],
    ['http://127.0.0.1/', /this machine/, remote],
    ['https://[::1]/', /this machine/, remote],
    ['https://[::ffff:127.0.0.1]/', /this machine/, remote],
    ['https://rebound.example/', /this machine/, { ...lax, allowLoopback: false }],
  ])('%s: %s', (url, reason, rules = strict) => {
    expect(() => ask(url, rules)).toThrow(AuthorizationError)
    expect(() => ask(url, rules)).toThrow(reason)
  })

  it('without a word of its path, its query or its credentials', () => {
    for (const url of ['http://issuer.example/hush?hush=hush', 'https://hush:hush@issuer.example/hush'])
      expect(() => ask(url, strict)).toThrow(/^(?!.*hush)/)
  })
})

it('of an address that is none nothing is expected', () => {
  for (const odd of ['', 'issuer.example', '1.2.3', '1.2.3.4.5', 'fe80::1%eth0', '::1%lo'])
    expect(addressKind(odd)).toBe('reserved')
})

function ask(text: string, rules: TargetRules): void {
  const { hostname } = checkTarget(text, rules)
  for (const address of names[hostname] ?? []) checkAddress(hostname, address, rules)
}
