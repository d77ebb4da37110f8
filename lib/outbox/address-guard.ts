import { lookup as lookUp } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Which addresses may we call? An address that somebody else wrote down must not lead into our own
 * network: the name is resolved once, what it resolves to is checked, and that very address is the
 * one that is connected to, so no second answer of the DNS can slip in between (attack-list N19).
 */

const PRIVATE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
const PRIVATE_V6 = [
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '100::/64',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]

// IPv4 inside IPv6 is checked against the IPv4 rules by the list itself.
const guarded = new BlockList()
for (const network of PRIVATE_V4) addTo(guarded, network, 'ipv4')
for (const network of PRIVATE_V6) addTo(guarded, network, 'ipv6')

function addTo(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', bits = ''] = network.split('/')
  list.addSubnet(address, Number(bits), family)
}

export class AddressRefused extends Error {}

export type Resolved = { address: string; family: 4 | 6 }

/** The address to connect to; throws for one that is not anybody's to call. */
export async function resolveAllowed(
  url: URL,
  allowedHosts: ReadonlySet<string>,
): Promise<Resolved> {
  if (url.protocol !== 'https:' && !allowedHosts.has(url.host)) {
    throw new AddressRefused('only https may be called')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return resolvePublic(host, allowedHosts.has(url.host))
}

/** The same for what is no web address: a host and a port. */
export function resolveHost(
  host: string,
  port: number,
  allowedHosts: ReadonlySet<string>,
): Promise<Resolved> {
  return resolvePublic(host, allowedHosts.has(`${host}:${port}`))
}

async function resolvePublic(host: string, allowed: boolean): Promise<Resolved> {
  const { address, family } = await lookup(host)
  if (!allowed && !isPublic(address)) throw new AddressRefused('the address is not public')
  return { address, family: family === 6 ? 6 : 4 }
}

/** What can be told without the DNS, when an address is written down; the rest when it is called. */
export function isPlainlyRefused(url: URL, allowedHosts: ReadonlySet<string>): boolean {
  if (allowedHosts.has(url.host)) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'https:' || /^(.*\.)?localhost\.?$/.test(host)) return true
  return isIP(host) !== 0 && !isPublic(host)
}

export function isPublic(address: string): boolean {
  const version = isIP(address)
  if (version === 0) return false
  return !guarded.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * For libraries that make their own connections: what a name resolves to is checked as it is used.
 * It sees names without ports and no plain address, so a URL goes through `resolveAllowed` first.
 */
export function guardedLookup(allowedHosts: ReadonlySet<string>): LookupFunction {
  const allowedNames = new Set([...allowedHosts].map((host) => host.replace(/:\d+$/, '')))
  return (name, options, callback) => {
    lookUp(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const usable = allowedNames.has(name) ? found : found.filter((one) => isPublic(one.address))
      const [first] = usable
      if (!first) return callback(new AddressRefused('the address is not public'), [])
      if (options.all) callback(null, usable)
      else callback(null, first.address, first.family)
    })
  }
}
