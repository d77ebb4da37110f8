const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

/** For how long a link in a mail is good. */
export const LINK_MS = {
  reset: 30 * MINUTE_MS,
  verify: 30 * MINUTE_MS,
  email: 30 * MINUTE_MS,
  // People read it when they read it; it opens an account that has no other way in, and no other.
  invite: 7 * DAY_MS,
} as const
