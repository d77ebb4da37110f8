import { isIP } from 'node:net'

/**
 * The caller's address: each proxy appends whom it saw, so of `proxies` trusted ones the entry that
 * far from the right is the caller's. Anything further left is the caller's own claim and ignored.
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

/** IPv4 inside IPv6 is IPv4; what is not an address is nothing. */
export function canonicalAddress(address: string | null): string | null {
  if (address === null) return null
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  return isIP(plain) === 0 ? null : plain.toLowerCase()
}
