import { z } from 'zod'
import type { Op } from '../../context/op'
import { errorMessage, rule } from '../../i18n/error-message'
import { RESERVED_CLAIMS } from '../../oidc/claims'
import { CLAIM_PLACES, type ClaimMapping } from '../../oidc/client'
import { attributeKey, attributeKeys } from '../../settings/model'
import type { Caller } from '../http/caller'
import { invalidField, Problem } from '../http/problem'
import { readSettings } from '../settings/change'

/** Attributes of users that an application gets in its tokens. */

const MAX_MAPPINGS = 20

export const claimMappingsSchema = z
  .array(
    z.strictObject({
      attribute: attributeKey.describe(
        'The key of a user attribute that is defined in the settings',
      ),
      claim: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_.:/-]{0,127}$/, rule('claim_shape'))
        .describe('The name of the claim; it may be a URL'),
      in: z.array(z.enum(CLAIM_PLACES)).min(1).max(CLAIM_PLACES.length),
    }),
  )
  .max(MAX_MAPPINGS)
  .describe('Attributes of users in its tokens; only callers who may read users can change them')

/** What a mapping gives to an application, its admin could read: so the caller must be allowed to. */
export function requireMayMap(
  { scopes }: Caller,
  before: readonly ClaimMapping[],
  after: readonly ClaimMapping[] | undefined,
): void {
  if (after === undefined || JSON.stringify(before) === JSON.stringify(after)) return
  if (scopes.has('users:read') && scopes.has('settings:read')) return
  throw new Problem('forbidden', errorMessage('map_forbidden'))
}

/** By the stored settings: `apply` may have defined the attribute in the same transaction. */
export async function requireMappable(op: Op, mappings: readonly ClaimMapping[]): Promise<void> {
  if (mappings.length === 0) return
  const { stored } = await readSettings(op)
  const { defined, trusted } = attributeKeys(stored)
  mappings.forEach(({ attribute, claim, in: places }, at) => {
    if (!defined.has(attribute)) {
      throw invalidField(`/claimMappings/${at}/attribute`, errorMessage('attribute_undefined'))
    }
    if (RESERVED_CLAIMS.has(claim)) {
      throw invalidField(`/claimMappings/${at}/claim`, errorMessage('claim_reserved'))
    }
    if (mappings.findIndex((one) => one.claim === claim) !== at) {
      throw invalidField(`/claimMappings/${at}/claim`, errorMessage('mapping_twice'))
    }
    if (!trusted.has(attribute) && places.includes('access_token')) {
      throw invalidField(`/claimMappings/${at}/in`, errorMessage('mapping_unsafe'))
    }
  })
}
