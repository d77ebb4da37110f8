import type { Op } from '../op'
import { foldedKey } from '../store/users'

/** How often one network may ask for mail, and how much of it one name may cause (M1, M2). */

const WINDOW_MS = 15 * 60 * 1000
const PER_NAME = 3
const PER_NETWORK = 20

/** Seconds to wait; 0: go ahead, and it is counted. A name counts whether or not somebody has it. */
export async function mailRequestWait(
  op: Op,
  about: 'forgot' | 'verify' | 'register' | 'email',
  { name, ip }: { name: string; ip: string | null },
): Promise<number> {
  const now = op.now()
  const limits = [
    ...(ip === null
      ? []
      : [{ key: `${about}:address:${op.limits.networkOf(ip)}`, most: PER_NETWORK }]),
    { key: `${about}:account:${op.hashSecret(foldedKey(name))}`, most: PER_NAME },
  ]
  for (const { key, most } of limits) {
    const { count, resetsAt } = await op.counters.hit(key, now, WINDOW_MS)
    if (count > most) return Math.ceil((resetsAt.getTime() - now.getTime()) / 1000)
  }
  return 0
}
