import type { Incoming } from '../base/http'
import { type HashSecret, sameDigest } from './secrets'

/**
 * Does the caller send this secret of the environment as a bearer token? Compared in constant time.
 */
export function presentsSecret(
  { headers }: Pick<Incoming, 'headers'>,
  secret: string,
  hashSecret: HashSecret,
): boolean {
  const presented = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
  return sameDigest(hashSecret(presented), hashSecret(secret))
}
