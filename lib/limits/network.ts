import { isIPv6 } from 'node:net'

/** Whom a limit by address means: one IPv4 address, or the /64 that one IPv6 customer holds (M4). */
export function networkOf(ip: string): string {
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip
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
