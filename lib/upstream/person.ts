import { z } from 'zod'
import { parseEmail } from '../base/email'
import { cleanText } from '../base/plain-text'
import type { UpstreamProvider } from '../settings/providers'

/**
 * The user whom a provider has signed in, in the terms of the portal; values that cannot be stored
 * are refused or dropped.
 */

const MAX_NAME_LENGTH = 100

export type UpstreamPerson = {
  issuer: string
  subject: string
  email: string | null
  /** Has the provider verified the address? */
  emailVerified: boolean
  name: string | null
  /** The user name at the provider. */
  username: string | null
  profile: Record<string, string>
  /** When the user last proved who they are, if the provider says so. */
  authTime: Date | null
}

const subject = z
  .string()
  .min(1)
  .max(255) // OpenID Connect Core §2
  .regex(/^[\x20-\x7e]+$/)

/** The range of a date. */
const seconds = z.number().min(0).max(8.64e12)

const openIdClaims = z.looseObject({ sub: subject, auth_time: seconds.optional() })

const githubClaims = z.object({
  id: z.number().int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  emails: z
    .array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
    .default([]),
})

export function personOf({ kind, issuer }: UpstreamProvider, claims: unknown): UpstreamPerson {
  if (kind === 'github') return { issuer, ...githubPerson(githubClaims.parse(claims)) }
  const known = openIdClaims.parse(claims)
  const email = typeof known.email === 'string' ? parseEmail(known.email) : null
  return {
    issuer,
    subject: known.sub,
    email,
    emailVerified: email !== null && isVouchedFor(kind, known),
    name: nameFrom(known.name),
    username: nameFrom(known.preferred_username),
    profile: profileOf(known),
    authTime: known.auth_time === undefined ? null : new Date(known.auth_time * 1000),
  }
}

/** A number, because a GitHub user name can be given up and taken by somebody else. */
function githubPerson({ id, login, name, emails }: z.infer<typeof githubClaims>) {
  const primary = emails.find((one) => one.primary)
  const email = primary ? parseEmail(primary.email) : null
  return {
    subject: String(id),
    email,
    emailVerified: email !== null && primary?.verified === true,
    name: nameFrom(name) ?? nameFrom(login),
    username: nameFrom(login),
    profile: {},
    authTime: null,
  }
}

/**
 * Microsoft's `email` is whatever the admin of a directory wrote. `xms_edov`, if the operator has
 * asked for it, says that the domain belongs to the directory.
 */
function isVouchedFor(kind: UpstreamProvider['kind'], claims: Record<string, unknown>): boolean {
  if (claims.email_verified === true) return true
  return kind === 'microsoft' && [true, 1, '1', 'true'].some((yes) => yes === claims.xms_edov)
}

function profileOf(claims: Record<string, unknown>): Record<string, string> {
  const kept = ['given_name', 'family_name', 'nickname'].map((claim) => [
    claim,
    nameFrom(claims[claim]),
  ])
  return Object.fromEntries(kept.filter(([, value]) => value !== null))
}

function nameFrom(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return [...cleanText(value)].slice(0, MAX_NAME_LENGTH).join('') || null
}
