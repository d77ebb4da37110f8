import { z } from 'zod'
import { ANY_APPLICATION, type Grant, type Policy } from '../../access/policy'
import { isPortalScope } from '../../access/portal-api'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import type { NewGrant } from '../../store/permissions/roles'
import { type FieldProblem, fieldProblem, Problem } from '../http/problem'
import { dateOf, idSchema, iso, patternSchema, termsShape, termsWire } from '../http/schemas'

/** What a role or an application is given: a pattern with its terms. */

export const grantSchema = z.strictObject({ pattern: patternSchema, ...termsShape })
export type GrantInput = z.infer<typeof grantSchema>

/** An application can also be granted permissions that it gets only by a token exchange. */
const exchangeFromSchema = z
  .union([z.literal(ANY_APPLICATION), idSchema])
  .nullable()
  .describe(
    'Only for a token exchange (RFC 8693): the application whose tokens are exchanged, or `*` for any; null for an ordinary grant',
  )

export const applicationGrantSchema = grantSchema.extend({
  exchangeFrom: exchangeFromSchema.default(null),
})
export type ApplicationGrantInput = z.infer<typeof applicationGrantSchema>

export const grantWire = z.object({ id: z.string(), pattern: z.string(), ...termsWire })

export const applicationGrantWire = grantWire.extend({ exchangeFrom: exchangeFromSchema })

export type GrantWire = z.infer<typeof grantWire>

export const toGrantRow = {
  forth: (grant: GrantInput): NewGrant => ({
    id: newId('grn'),
    pattern: grant.pattern,
    effect: grant.effect,
    condition: grant.condition,
    validFrom: dateOf(grant.validFrom),
    validUntil: dateOf(grant.validUntil),
  }),
  back: ({ id, pattern, effect, condition, validFrom, validUntil }: NewGrant) => ({
    id,
    pattern,
    effect,
    condition,
    validFrom: iso(validFrom),
    validUntil: iso(validUntil),
  }),
}

export const toApplicationGrant = {
  forth: ({ exchangeFrom, effect, ...grant }: ApplicationGrantInput) => ({
    ...toGrantRow.forth({ effect, ...grant }),
    effect,
    exchangeFrom,
  }),
  back: ({ exchangeFrom, ...grant }: NewGrant & { exchangeFrom: string | null }) => ({
    ...toGrantRow.back(grant),
    exchangeFrom,
  }),
}

/** A grant as decisions see it, with the names of the wire. */
export function grantInForce({ pattern, effect, condition, validFrom, validUntil }: Grant) {
  const date = (time: number | null) => (time === null ? null : iso(new Date(time)))
  return {
    pattern,
    effect,
    condition: condition?.source ?? null,
    validFrom: date(validFrom),
    validUntil: date(validUntil),
  }
}

/**
 * A grant for a permission that does not exist is refused before it is stored. Roles never grant
 * access to the portal's own API: otherwise whoever may write roles could make themselves an admin.
 */
export function requireGrantable(
  policy: Policy,
  grants: readonly GrantInput[],
  base: string,
  pointer?: string,
): void {
  const errors = unknownItems(knowsIn(itemsOf(policy)), grants, (at) => pointer ?? `${base}/${at}`)
  if (errors.length > 0)
    throw new Problem('invalid', errorMessage('unknown_permissions'), { errors })
}

/** What roles can give: permissions of all APIs except the portal's own. */
export function itemsOf(policy: Policy): Set<string> {
  return new Set([...policy.items.keys()].filter((key) => !isPortalScope(key)))
}

type Knows = (pattern: string) => boolean

/** Whether a pattern names one of these permissions, or an API that has one of them. */
export function knowsIn(items: ReadonlySet<string>): Knows {
  const prefixes = new Set([...items].map((key) => key.split(':')[0] ?? ''))
  return (pattern) =>
    pattern.endsWith(':*') ? prefixes.has(pattern.slice(0, -2)) : items.has(pattern)
}

export function unknownItems(
  knows: Knows,
  grants: readonly GrantInput[],
  pointerTo: (at: number) => string,
): FieldProblem[] {
  return grants.flatMap(({ pattern }, at) =>
    knows(pattern) ? [] : [fieldProblem(pointerTo(at), errorMessage('unknown_permission'))],
  )
}
