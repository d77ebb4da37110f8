import { z } from 'zod'
import { isPlainText } from '../base/plain-text'
import type { Op } from '../context/op'
import { isTimeZone } from '../i18n/moments'
import type { Session } from '../store/accounts/sessions'
import { findUser, type UserRecord, updateUser } from '../store/accounts/users'
import { type Origin, ownEvent } from './audit-event'

/** What users may change about themselves: this list and nothing else (attack M31). */

const MAX_PHONE_LENGTH = 32
const MAX_URL_LENGTH = 500

function text(longest: number) {
  return z
    .string()
    .transform((value) => value.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .refine(isPlainText, 'characters')
        .refine((value) => [...value].length <= longest, 'long'),
    )
}

function shaped(longest: number, fits: (value: string) => boolean) {
  return text(longest).pipe(z.string().refine((value) => value === '' || fits(value), 'format'))
}

const ADDRESS = {
  street_address: text(200),
  postal_code: text(20),
  locality: text(100),
  region: text(100),
  country: text(100),
}

const CLAIMS = {
  given_name: text(100),
  family_name: text(100),
  nickname: text(100),
  website: shaped(MAX_URL_LENGTH, isWebAddress),
  locale: shaped(35, isLanguageTag),
  zoneinfo: shaped(64, isTimeZone),
  phone_number: shaped(MAX_PHONE_LENGTH, (value) => /^\+?\d[\d ().-]{2,}$/.test(value)),
}

const schema = z.object({
  name: text(100).pipe(z.string().min(1, 'missing')),
  ...CLAIMS,
  ...ADDRESS,
})

export type ProfileFields = z.infer<typeof schema>
export type ProfileField = keyof ProfileFields
export const PROFILE_FIELDS = Object.keys(schema.shape) as ProfileField[]

const problems = ['missing', 'long', 'characters', 'format'] as const
export type ProfileProblem = { field: ProfileField; problem: (typeof problems)[number] }

export type OwnProfile = {
  fields: ProfileFields
  email: string | null
  emailVerified: boolean
  username: string | null
}

export async function ownProfile(op: Op, { user }: Session): Promise<OwnProfile> {
  const record = await op.read((db) => findUser(db, user.id))
  if (!record) throw new Error('the user of a session does not exist any more')
  const { name, email, emailVerified, username, profile } = record
  const address = membersOf(profile.address)
  const stored = { ...address, ...profile, name }
  const fields = PROFILE_FIELDS.map((field) => [
    field,
    textOf(stored[field as keyof typeof stored]),
  ])
  return { fields: Object.fromEntries(fields), email, emailVerified, username }
}

type ProfileResult =
  | { ok: true }
  | { ok: false; problems: ProfileProblem[] }
  | { ok: false; problems: 'conflict' }

export async function saveProfile(
  op: Op,
  session: Session,
  typed: Record<ProfileField, string>,
  origin: Origin,
): Promise<ProfileResult> {
  const parsed = schema.safeParse(typed)
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.map(toProblem) }
  return op.write(async (tx, audit) => {
    const record = await findUser(tx, session.user.id)
    if (!record) return { ok: false, problems: 'conflict' }
    const profile = mergedProfile(record, parsed.data)
    const changes = { name: parsed.data.name, profile }
    const count = await updateUser(tx, record, changes, op.now())
    if (count !== 1) return { ok: false, problems: 'conflict' }
    audit(ownEvent('profile.changed', session, origin))
    return { ok: true }
  })
}

/** Members that are not in the list stay; a new phone number is not verified. */
function mergedProfile({ profile }: UserRecord, typed: ProfileFields): Record<string, unknown> {
  const address = merged(membersOf(profile.address), pick(typed, Object.keys(ADDRESS)))
  delete address.formatted // composed of the parts, which may have changed
  const { address: _old, ...rest } = profile
  const next = merged(rest, pick(typed, Object.keys(CLAIMS)))
  if (next.phone_number === undefined) delete next.phone_number_verified
  else if (next.phone_number !== profile.phone_number) next.phone_number_verified = false
  return Object.keys(address).length > 0 ? { ...next, address } : next
}

function merged(old: Record<string, unknown>, typed: Record<string, string>) {
  const all = Object.entries({ ...old, ...typed })
  return Object.fromEntries(all.filter(([, value]) => value !== ''))
}

function pick(from: ProfileFields, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

function toProblem({ path, message }: z.core.$ZodIssue): ProfileProblem {
  const field = PROFILE_FIELDS.find((name) => name === path[0]) ?? 'name'
  return { field, problem: problems.find((word) => word === message) ?? 'format' }
}

const members = z.record(z.string(), z.unknown())

function membersOf(value: unknown): Record<string, unknown> {
  return members.safeParse(value).data ?? {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false
  }
}
