import { isIPv6 } from 'node:net'

/**
 * Whom a limit by address means: one IPv4 address, or the /64 that one IPv6 customer holds (attack
 * M4).
 */
export function networkOf(ip: string): string {
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip
}

/**
 * Who could be the same caller a moment later: the /24 around an IPv4 address, the /64 of an IPv6
 * one. This machine is one place, however it calls itself.
 */
export function neighbourhoodOf(ip: string): string {
  if (ip === '::1' || ip.startsWith('127.')) return 'loopback'
  return isIPv6(ip) ? networkOf(ip) : `${ip.split('.').slice(0, 3).join('.')}.0/24`
}

/** The eight groups, without the short form's gap. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = tail === undefined ? left : [...left, ...gap, ...right]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}
