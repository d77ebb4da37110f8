import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** Passwords: argon2id, a cap on how many are hashed at once, NIST SP 800-63B-4 lengths. */

const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } // argon2id, the library's default
const SHORTEST = 15 // the only factor: 800-63B-4 §3.1.1.2
const LONGEST_BYTES = 1024
const HASHES_AT_ONCE = 4
const GENERATED_BYTES = 18

export type PasswordProblem = 'password_short' | 'password_long' | 'password_common'

export function passwordProblem(password: string): PasswordProblem | null {
  if (Buffer.byteLength(password) > LONGEST_BYTES) return 'password_long'
  if ([...password.normalize('NFC')].length < SHORTEST) return 'password_short'
  return isRepetitive(password) ? 'password_common' : null
}

/** "aaaaaaaaaaaaaaa", "abcabcabcabcabc": long, and guessed first. */
function isRepetitive(password: string): boolean {
  return new Set(password.toLowerCase()).size < 5
}

export async function hashPassword(password: string): Promise<string> {
  return oneOfFew(() => hash(password.normalize('NFC'), ARGON2))
}

/** With no hash to compare, one that nobody knows is: a stranger costs what a user costs. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (Buffer.byteLength(password) > LONGEST_BYTES) return false
  const comparedWith = stored ?? (await unknowable())
  const matches = await oneOfFew(() => verify(comparedWith, password.normalize('NFC')))
  return matches && stored !== null
}

/** For accounts that are made without a person at the keyboard. */
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
