import { z } from 'zod'

const MAX_LENGTH = 254 // RFC 5321 §4.5.3.1.3

/** Normalised first, then checked: one plain address or null (attack M26). */
export function parseEmail(input: string): string | null {
  const email = input.normalize('NFKC').trim()
  if (email.length > MAX_LENGTH) return null
  return z.email().safeParse(email).success ? email : null
}
