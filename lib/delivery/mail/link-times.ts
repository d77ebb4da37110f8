import { DAY_MS, MINUTE_MS } from '../../base/time'

/** How long a link in a mail is valid. */
export const LINK_MS = {
  sign_in: 10 * MINUTE_MS,
  reset: 30 * MINUTE_MS,
  verify: 30 * MINUTE_MS,
  email: 30 * MINUTE_MS,
  // Users read it late; it opens only an account that has no other way to sign in.
  invite: 7 * DAY_MS,
  // It only takes access away, and notices are read late.
  not_me: 7 * DAY_MS,
} as const
