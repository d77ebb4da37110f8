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
  after: Pick<ApplicationRecord, 'name' | 'redirectUris' | 'initiateLoginUri'>,
): boolean {
  const isSame =
    before.name === after.name &&
    before.initiateLoginUri === after.initiateLoginUri &&
    JSON.stringify(before.redirectUris) === JSON.stringify(after.redirectUris)
  return before.publisherVerified && isSame
}

/** What users saw when they agreed. */
const FACE = ['name', 'logoUri', 'publisher'] as const

/**
 * Users agreed that codes go to certain hosts, for an application with a certain face, and the
 * portal links them to one of these hosts. If it has another face or another host, they are asked
 * again, and what they had agreed to ends: a pause is not lifted by it.
 */
export async function endConsentsIfAnother(tx: Transaction, change: Change): Promise<number> {
  const { before, after } = change
  if (!hasMoved(change) && FACE.every((field) => before[field] === after[field])) return 0
  await revokeGrantsOfApplication(tx, before.id, 'client_moved', after.updatedAt)
  return removeEveryConsent(tx, before.id)
}

function hasMoved({ before, after }: Change): boolean {
  const known = new Set(before.redirectUris.map(schemeAndHostOf))
  const stays = (uri: string) => known.has(schemeAndHostOf(uri))
  const { initiateLoginUri: uri } = after
  const loginMoved = uri !== null && uri !== before.initiateLoginUri && !stays(uri)
  return loginMoved || !after.redirectUris.every(stays)
}

function schemeAndHostOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return `${protocol}//${host}`
}
