import type { Suspicion } from '../stores'

/**
 * A used refresh token that is sent again: an answer was lost, or several tabs refreshed at once, or
 * the token was stolen (RFC 9700 §4.14.2). The network and the time decide, never how many came: so
 * many tabs are no theft, and one thief elsewhere is.
 */

type Circumstances = {
  /** The replay window has ended. */
  late: boolean
  /** The network of the repeat; null if unknown. */
  from: string | null
  /** The network of the first use; null if unknown. */
  usedFrom: string | null
}

/** Null if it seems to be the same client that used the token first. */
export function suspicionOf({ late, from, usedFrom }: Circumstances): Suspicion | null {
  if (late) return 'late'
  const isElsewhere = from !== null && usedFrom !== null && from !== usedFrom
  return isElsewhere ? 'another_network' : null
}
