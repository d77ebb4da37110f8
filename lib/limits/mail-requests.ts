import type { Op } from '../context/op'
import { countAttempt, nameLimit, networkLimit } from './attempts'

/**
 * Limits how often a network may request mail, and how much mail one name may cause (attack M1,
 * M2).
 */

const PER_NAME = 3
const PER_NETWORK = 20

/** Seconds to wait; 0 means go ahead, and it is counted. */
export function mailRequestWait(
  op: Op,
  about: 'forgot' | 'verify' | 'register' | 'email' | 'sign_in',
  { name, ip }: { name: string; ip: string | null },
): Promise<number> {
  const limits = [networkLimit(op, about, ip, PER_NETWORK), nameLimit(op, about, name, PER_NAME)]
  return countAttempt(op, limits)
}
