import { isIP } from 'node:net'

/**
 * The address of the caller. Each proxy appends the address that it saw. With `proxies` trusted
 * proxies, the entry that far from the right is the caller's; entries further left are claims of
 * the caller and are ignored.
 */
export function callerAddress(
  forwardedFor: string | null,
  peer: string | null,
  proxies: number,
): string | null {
  if (proxies === 0) return canonicalAddress(peer)
  const forwarded = forwardedFor === null ? [] : forwardedFor.split(',').map((part) => part.trim())
  const chain = [...forwarded, ...(peer === null ? [] : [peer])]
  const index = peer === null ? chain.length - proxies : chain.length - 1 - proxies
  return canonicalAddress(chain[index] ?? peer) ?? canonicalAddress(peer)
}

/**
 * What proxies say of the caller although the operator named none: then all callers have one
 * address, that of the nearest proxy. Anybody can write it.
 */
export function claimedCaller(
  headers: { get(name: string): string | null },
  proxies: number,
): string | undefined {
  if (proxies > 0) return undefined
  const forwardedFor = headers.get('x-forwarded-for')
  const forwarded = headers.get('forwarded')
  if (forwardedFor === null && forwarded === null) return undefined
  return `${forwardedFor} ${forwarded}`
}

/** IPv4 inside IPv6 becomes IPv4; null for anything that is not an address. */
function canonicalAddress(address: string | null): string | null {
  if (address === null) return null
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  return isIP(plain) === 0 ? null : plain.toLowerCase()
}
