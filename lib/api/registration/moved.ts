import type { ApplicationRecord } from '../../store/applications/applications'
import type { Transaction } from '../../store/database/connection'
import { removeEveryConsent } from '../../store/tokens/consents'
import { revokeGrantsOfApplication } from '../../store/tokens/token-grants'

/**
 * A client that changed itself. What admins and users said was about the name and the addresses
 * that they saw.
 */

export type Change = { before: ApplicationRecord; after: ApplicationRecord }

/** An admin looked at this name and these addresses. */
export function isStillVerified(
  before: ApplicationRecord,
  after: Pick<ApplicationRecord, 'name' | 'redirectUris'>,
): boolean {
  const isSame =
    before.name === after.name &&
    JSON.stringify(before.redirectUris) === JSON.stringify(after.redirectUris)
  return before.publisherVerified && isSame
}

/**
 * Users agreed that codes go to certain hosts. If there is another one, they are asked again, and
 * what they had agreed to ends: a pause is not lifted by it.
 */
export async function endConsentsIfMoved(
  tx: Transaction,
  { before, after }: Change,
): Promise<number> {
  const known = new Set(before.redirectUris.map(schemeAndHostOf))
  if (after.redirectUris.every((uri) => known.has(schemeAndHostOf(uri)))) return 0
  await revokeGrantsOfApplication(tx, before.id, 'client_moved', after.updatedAt)
  return removeEveryConsent(tx, before.id)
}

function schemeAndHostOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return `${protocol}//${host}`
}
