import { textOf } from '../browser/form'

/**
 * The standard claims of a user in a form (OpenID Connect Core §5.1). Names of fields begin with
 * `claim_` or `address_`: the language for mail is a field of its own.
 */

export const TEXT_CLAIMS = [
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'gender',
  'birthdate',
  'locale',
  'zoneinfo',
  'profile',
  'website',
  'picture',
  'phone_number',
] as const
export type TextClaim = (typeof TEXT_CLAIMS)[number]

/** Members of the claim `address` (§5.1.1). */
export const ADDRESS_MEMBERS = [
  'street_address',
  'postal_code',
  'locality',
  'region',
  'country',
  'formatted',
] as const
export type AddressMember = (typeof ADDRESS_MEMBERS)[number]

const VERIFIED = 'phone_number_verified'

export const claimField = (claim: TextClaim | typeof VERIFIED) => `claim_${claim}`
export const addressField = (member: AddressMember) => `address_${member}`

/** Which field shows what the API refuses. */
export const CLAIM_POINTERS: Readonly<Record<string, string>> = Object.fromEntries([
  ...TEXT_CLAIMS.map((claim) => [`profile/${claim}`, claimField(claim)]),
  ...ADDRESS_MEMBERS.map((member) => [`profile/address/${member}`, addressField(member)]),
])

/** As the API takes it: what is empty is left out, and only a number can be verified. */
export function profileIn(form: FormData): Record<string, unknown> {
  const claims = filled(TEXT_CLAIMS.map((claim) => [claim, textOf(form, claimField(claim))]))
  const address = filled(
    ADDRESS_MEMBERS.map((member) => [member, linesOf(textOf(form, addressField(member)))]),
  )
  const isVerified = textOf(form, claimField(VERIFIED)) === 'yes'
  return {
    ...claims,
    ...(claims.phone_number !== undefined && { [VERIFIED]: isVerified }),
    ...(Object.keys(address).length > 0 && { address }),
  }
}

function filled(entries: readonly (readonly [string, string])[]): Record<string, string> {
  const trimmed = entries.map(([name, value]) => [name, value.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''))
}

/** A browser ends the lines of a text area with CR LF (HTML, §4.10.21.4). */
function linesOf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
