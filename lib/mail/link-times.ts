const MINUTE_MS = 60 * 1000

/** For how long a link in a mail is good. */
export const LINK_MS = {
  reset: 30 * MINUTE_MS,
  verify: 30 * MINUTE_MS,
} as const
