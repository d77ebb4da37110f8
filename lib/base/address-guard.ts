import { lookup as lookUp } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import {
  type Block,
  EMBEDS_V4,
  GLOBAL_UNICAST_V6,
  SPECIAL_V4,
  SPECIAL_V6,
} from './special-addresses'

/**
 * Which addresses may the portal call? An address that somebody else wrote must not lead into the
 * portal's own network. The name is resolved once, the result is checked, and the connection goes
 * to that same address, so a second DNS answer cannot replace it (attack N19).
 */

const specialV4 = listOf(SPECIAL_V4, 'ipv4')
const specialV6 = listOf(SPECIAL_V6, 'ipv6')
const embedsV4 = listOf(EMBEDS_V4, 'ipv6')
const globalUnicastV6 = listOf([GLOBAL_UNICAST_V6], 'ipv6')

function listOf(blocks: readonly Block[], family: 'ipv4' | 'ipv6') {
  const list = new BlockList()
  for (const [network] of blocks) addTo(list, network, family)
  return list
}

function addTo(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', bits = ''] = network.split('/')
  list.addSubnet(address, Number(bits), family)
}

export class AddressRefused extends Error {}

export type ResolvedAddress = { address: string; family: 4 | 6 }

/** How a name becomes an address. */
export type LookUp = (host: string) => Promise<ResolvedAddress>

/**
 * The address to connect to; throws if it must not be called. `find` is for names that the operator
 * does not know; those of `allowedHosts` are looked up as every program does.
 */
export async function resolveAllowed(
  url: URL,
  allowedHosts: ReadonlySet<string>,
  find: LookUp = bySystem,
): Promise<ResolvedAddress> {
  if (url.protocol !== 'https:' && !allowedHosts.has(url.host)) {
    throw new AddressRefused('only https addresses may be called')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAllowed = allowedHosts.has(url.host)
  return resolvePublic(host, isAllowed, isAllowed ? bySystem : find)
}

async function bySystem(host: string): Promise<ResolvedAddress> {
  const { address, family } = await lookup(host)
  return { address, family: family === 6 ? 6 : 4 }
}

/** The same for a host and a port that are not a URL. */
export function resolveHost(
  host: string,
  port: number,
  allowedHosts: ReadonlySet<string>,
): Promise<ResolvedAddress> {
  return resolvePublic(host, allowedHosts.has(`${host}:${port}`))
}

async function resolvePublic(
  host: string,
  allowed: boolean,
  find = bySystem,
): Promise<ResolvedAddress> {
  const found = await find(host)
  if (!allowed && !isPublic(found.address)) throw new AddressRefused('the address is not public')
  return found
}

/**
 * What can be refused without DNS, when an address is saved; the rest is checked when it is called.
 */
export function isPlainlyRefused(url: URL, allowedHosts: ReadonlySet<string>): boolean {
  if (allowedHosts.has(url.host)) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'https:' || /^(.*\.)?localhost\.?$/.test(host)) return true
  return isIP(host) !== 0 && !isPublic(host)
}

/**
 * Is the address public? An address with a zone (`fe80::1%eth0`) belongs to the links of this
 * machine.
 */
export function isPublic(address: string): boolean {
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0) return false
  return version === 4 ? isPublicV4(address) : isPublicV6(address)
}

function isPublicV4(address: string): boolean {
  return !specialV4.check(address, 'ipv4')
}

function isPublicV6(address: string): boolean {
  if (embedsV4.check(address, 'ipv6')) return isPublicV4(lastFourBytes(address))
  return globalUnicastV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

/** The URL parser normalises every IPv6 address, with the last bytes in hexadecimal. */
function lastFourBytes(address: string): string {
  const [low = '', high = ''] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split(':')
    .reverse()
  const pair = (Number(`0x${high || 0}`) << 16) | Number(`0x${low || 0}`)
  return [24, 16, 8, 0].map((bits) => (pair >>> bits) & 0xff).join('.')
}

/**
 * For libraries that open their own connections: checks what a name resolves to when it is used. It
 * sees neither ports nor literal addresses, so a URL must go through `resolveAllowed` first.
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
