import { errorMessage } from '../../i18n/error-message'
import type { ApplicationFields, ApplicationRecord } from '../../store/applications/applications'
import type { Caller } from '../http/caller'
import { invalidField, Problem } from '../http/problem'

/** The mark on the consent page that says that an admin checked who publishes an application. */

type Marked = Pick<ApplicationFields, 'publisher' | 'publisherVerified'>

/** App managers could vouch for themselves. */
export function requireMayVerify({ ownOnly }: Caller, before: Marked | null, after: Marked): void {
  if (!after.publisherVerified) return
  if (after.publisher === null) {
    throw invalidField('/publisherVerified', errorMessage('publisher_missing'))
  }
  if (!ownOnly || before?.publisherVerified) return
  throw new Problem('forbidden', errorMessage('publisher_forbidden'))
}

/** What was checked; after a change by its owner, somebody has to look again. */
const CHECKED = ['name', 'publisher', 'redirectUris', 'initiateLoginUri'] as const

export function verificationAfter(
  { ownOnly }: Caller,
  before: ApplicationRecord,
  asked: Partial<ApplicationFields>,
): Partial<Marked> {
  const isLost = ownOnly
    ? changesChecked(before, asked)
    : changesChecked(before, asked, ['publisher']) && asked.publisherVerified !== true
  return isLost ? { publisherVerified: false } : {}
}

export function changesChecked(
  before: ApplicationRecord,
  asked: Partial<ApplicationFields>,
  checked: readonly (typeof CHECKED)[number][] = CHECKED,
): boolean {
  return checked.some(
    (field) =>
      asked[field] !== undefined && JSON.stringify(asked[field]) !== JSON.stringify(before[field]),
  )
}
