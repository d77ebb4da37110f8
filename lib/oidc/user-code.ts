import { randomInt } from 'node:crypto'
import type { HashSecret } from '../crypto/secrets'

/**
 * The code that a person reads on a device and types elsewhere (RFC 8628 §6.1): letters that are not
 * taken for each other, and no vowels, so that no word comes out. 20^8 of them.
 */

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const HALF = 4
const USER_CODE = new RegExp(`^[${LETTERS}]{${2 * HALF}}$`)

export function newUserCode(): string {
  return Array.from({ length: 2 * HALF }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** As it is shown: in two halves. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, HALF)}-${code.slice(HALF)}`
}

/** Whatever a person typed between the letters does not count; null if it cannot be a code. */
export function readUserCode(typed: string): string | null {
  if (typed.length > MAX_TYPED_LENGTH) return null
  const code = typed.toUpperCase().replaceAll(/[\s\p{Pd}._]/gu, '')
  return USER_CODE.test(code) ? code : null
}

const MAX_TYPED_LENGTH = 64

/** Keyed: there are too few codes for a plain hash to hide one. */
export function hashUserCode({ hashSecret }: { hashSecret: HashSecret }, code: string): string {
  return hashSecret(`user code ${code}`)
}
