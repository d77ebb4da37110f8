/**
 * What the most visited pages may weigh, in KB (1 000 bytes) and not compressed: the HTML with the
 * data that the browser gets for it, on the sample data. Room for a tenth more than they have.
 */
export const HTML_KB = {
  login: 18,
  password: 19,
  consent: 27,
  account: 35,
  admin: 77,
  users: 54,
  user: 36,
  application: 61,
  audit: 70,
  docs: 49,
} as const

/** All scripts that one page names. Next.js and React are 571 of them. */
export const SCRIPTS_KB = 625

/** What a picture beside the sign-in may weigh; a phone does not load it. */
export const PICTURE_KB = 120

/** Statements of one page on PostgreSQL, after somebody opened it a moment before; none is asked twice. */
export const STATEMENTS = {
  login: 0,
  password: 0,
  consent: 7,
  account: 9,
  admin: 15,
  users: 3,
  user: 14,
  application: 10,
  audit: 5,
  docs: 0,
} as const satisfies Record<WeighedPage, number>

export type WeighedPage = keyof typeof HTML_KB
