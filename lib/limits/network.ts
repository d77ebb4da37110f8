import { isIPv6 } from 'node:net'

/**
 * The unit of a limit by address: one IPv4 address, or the /64 of one IPv6 customer (attack M4).
 */
export function networkOf(ip: string): string {
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip
}

/**
 * Addresses that may be the same caller a moment later: the /24 of an IPv4 address, the /64 of an
 * IPv6 one. All loopback addresses count as one.
 */
export function neighbourhoodOf(ip: string): string {
  if (ip === '::1' || ip.startsWith('127.')) return 'loopback'
  return isIPv6(ip) ? networkOf(ip) : `${ip.split('.').slice(0, 3).join('.')}.0/24`
}

/** The eight groups of an IPv6 address, with the short form expanded. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = tail === undefined ? left : [...left, ...gap, ...right]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}
