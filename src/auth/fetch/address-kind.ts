import { BlockList, isIP } from 'node:net'

/** What an address is good for. `reserved`: nothing that anybody should connect to. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'linkLocal' | 'metadata' | 'reserved'

/** Of an IPv4 or IPv6 address as the resolver, or a URL, writes it. IPv4 addresses within IPv6 ones are what they are by themselves. */
export function addressKind(address: string): AddressKind {
  const family = isIP(address)
  if (family === 4) return find(v4Kinds, address, 'ipv4') ?? 'public'
  // A zone names an interface of this machine: what has one is not elsewhere.
  if (family !== 6 || address.includes('%')) return 'reserved'
  const embedded = embeddedV4(address)
  if (embedded !== undefined) return addressKind(embedded)
  return find(v6Kinds, address, 'ipv6') ?? 'reserved'
}

type Ranges = readonly (readonly [kind: AddressKind, list: BlockList])[]

function find(kinds: Ranges, address: string, family: 'ipv4' | 'ipv6'): AddressKind | undefined {
  return kinds.find(([, list]) => list.check(address, family))?.[0]
}

/** Mapped (`::ffff:a.b.c.d`), translated by NAT64 (`64:ff9b::a.b.c.d`) and compatible (`::a.b.c.d`) ones, which are the last four bytes. */
function embeddedV4(address: string): string | undefined {
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  const prefix = groups.slice(0, 6).map((group) => group.toString(16))
  const isCompatible = prefix.join(':') === '0:0:0:0:0:0' && high > 0
  if (!isCompatible && !prefixes.has(prefix.join(':'))) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** All eight of them. */
function groupsOf(address: string): readonly number[] {
  // A URL spells every address in the same way, in hexadecimal groups.
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail] = text.split('::')
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  if (tail === undefined) return read(head)
  const [front, back] = [read(head), read(tail)]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}

const prefixes = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'])

function ranges(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [AddressKind, ...string[]])[]): Ranges {
  return subnets.map(([kind, ...nets]) => {
    const list = new BlockList()
    for (const net of nets) {
      const [address = '', bits = ''] = net.split('/')
      list.addSubnet(address, Number(bits), family)
    }
    return [kind, list] as const
  })
}

/** The first that holds an address says what it is; IANA's registries of special purpose, and where clouds tell machines their secrets. */
const v4Kinds = ranges('ipv4', [
  ['metadata', '169.254.169.254/32', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
  ['loopback', '127.0.0.0/8'],
  ['linkLocal', '169.254.0.0/16'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'],
  ['reserved', '0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
  ['reserved', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
])

/** Of what is in none of them nothing is handed out. */
const v6Kinds = ranges('ipv6', [
  ['metadata', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
  ['loopback', '::1/128'],
  ['linkLocal', 'fe80::/10'],
  ['private', 'fc00::/7', 'fec0::/10'],
  // Protocols, documentation, and IPv4 addresses in disguise (Teredo, 6to4).
  ['reserved', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
  ['public', '2000::/3'],
])
