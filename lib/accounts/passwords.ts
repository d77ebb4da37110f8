import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Op } from '../context/op'
import { findUser } from '../store/accounts/users'
import { isBreached } from './breached-passwords'
import { isCommon, isOwn } from './common-passwords'

/**
 * Passwords: argon2id, a limit on how many are hashed at the same time, lengths of NIST SP
 * 800-63B-4.
 */

const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } // argon2id, the library's default
const MAX_BYTES = 1024
const HASHES_AT_ONCE = 4
const GENERATED_BYTES = 18

export type PasswordProblem =
  | 'password_short'
  | 'password_long'
  | 'password_common'
  | 'password_own'
  | 'password_breached'

/** The future owner: words that the password must not consist of, and its minimum length. */
type PasswordOwner = { own: readonly (string | null)[]; shortest: number }

const PORTAL_WORDS = ['gatehouse']

export async function passwordProblem(
  password: string,
  { own, shortest }: PasswordOwner,
): Promise<PasswordProblem | null> {
  if (Buffer.byteLength(password) > MAX_BYTES) return 'password_long'
  if ([...password.normalize('NFC')].length < shortest) return 'password_short'
  if (isOwn(password, [...PORTAL_WORDS, ...own.flatMap((word) => word ?? [])]))
    return 'password_own'
  return isRepetitive(password) || (await isCommon(password)) ? 'password_common' : null
}

/** The same, and whether it was found in a breach, if the portal asks. */
export async function newPasswordProblem(
  op: Op,
  password: string,
  owner: PasswordOwner,
): Promise<PasswordProblem | null> {
  const problem = await passwordProblem(password, owner)
  if (problem) return problem
  return (await isBreached(op, password)) ? 'password_breached' : null
}

/** For an existing user; the minimum length is smaller with a second factor. */
export async function passwordOwner(op: Op, userId: string): Promise<PasswordOwner> {
  const user = await op.read((db) => findUser(db, userId))
  const own = [user?.name, user?.email, user?.username].map((word) => word ?? null)
  const withFactor = await op.totps.anyConfirmed(userId)
  const { security } = await op.settings.current()
  return { own, shortest: security[withFactor ? 'passwordLengthWithFactor' : 'passwordLength'] }
}

/** For a user without a second factor. */
export async function shortestAlone(op: Op): Promise<number> {
  return (await op.settings.current()).security.passwordLength
}

/** "aaaaaaaaaaaaaaa", "abcabcabcabcabc": long, and guessed first. */
function isRepetitive(password: string): boolean {
  return new Set(password.toLowerCase()).size < 5
}

export async function hashPassword(password: string): Promise<string> {
  return oneOfFew(() => hash(password.normalize('NFC'), ARGON2))
}

/**
 * Without a stored hash, an unknown one is compared: an unknown user takes as long as a known one.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_BYTES) return false
  const comparedWith = stored ?? (await unknowable())
  const matches = await oneOfFew(() => verify(comparedWith, password.normalize('NFC')))
  return matches && stored !== null
}

/** For accounts that are created without a user at the keyboard. */
export function newPassword(): string {
  return randomBytes(GENERATED_BYTES).toString('base64url')
}

let unknowableHash: Promise<string> | undefined

function unknowable(): Promise<string> {
  unknowableHash ??= hashPassword(newPassword())
  return unknowableHash
}

let running = 0
const waiting: (() => void)[] = []

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= HASHES_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}
