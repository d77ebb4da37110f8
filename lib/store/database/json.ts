import { z } from 'zod'
import { CLAIM_PLACES, type ClaimMapping } from '../../oidc/client'

/** JSON columns are checked when they are read: outside the store nothing is `unknown`. */

const strings = z.array(z.string())

export function stringList(value: unknown): string[] {
  return strings.parse(value)
}

export function stringListOrNull(value: unknown): string[] | null {
  return value === null ? null : strings.parse(value)
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

type KeySet = z.infer<typeof keySet>

export function keySetOrNull(value: unknown): KeySet | null {
  return value === null ? null : keySet.parse(value)
}

const mappings = z.array(
  z.object({ attribute: z.string(), claim: z.string(), in: z.array(z.enum(CLAIM_PLACES)) }),
)

export function claimMappingsIn(value: unknown): ClaimMapping[] {
  return mappings.parse(value)
}

const members = z.record(z.string(), z.unknown())

export function membersOf(value: unknown): Record<string, unknown> {
  return members.parse(value)
}

const texts = z.record(z.string(), z.string())

export function textsOf(value: unknown): Record<string, string> {
  return texts.parse(value)
}

export function oneOfOrNull<const T extends string>(words: readonly T[], value: unknown): T | null {
  return value === null ? null : oneOf(words, String(value))
}

export function oneOf<const T extends string>(words: readonly T[], value: string): T {
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw new Error(`the database contains an unknown value: ${value}`)
  return word
}
