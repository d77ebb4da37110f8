import { newId } from '../../crypto/secrets'
import type { Transaction } from '../database/connection'
import { type Prisma, prisma } from '../database/database'
import type { ReviewItem } from './items'

/** The grants that a review narrows or removes. */

type Reviewed = Pick<ReviewItem, 'targetId' | 'subject' | 'gives' | 'terms'>

function holderOf({ subject: { type, id } }: Reviewed) {
  if (type === 'application') return { applicationId: id }
  return type === 'access_key' ? { accessKeyId: id } : { roleId: id }
}

function termsOf({ gives, terms }: Reviewed) {
  const date = (text: string | null) => (text === null ? null : new Date(text))
  return {
    pattern: gives,
    effect: 'allow',
    requestId: null,
    exchangeFrom: terms.exchangeFrom,
    condition: terms.condition,
    validFrom: date(terms.validFrom),
    validUntil: date(terms.validUntil),
  }
}

/** `givenBy`: who answers for it if it begins later. */
type Found = { id: string; givenBy: string | null; createdAt: Date }

/**
 * The grant that was reviewed. Whoever writes the grants of an application again makes new rows of
 * the same grants: one with the same terms, written since then, is the same grant.
 */
export async function findReviewed(
  tx: Transaction,
  item: Reviewed,
  reviewedAt: Date,
): Promise<Found | 'changed' | 'gone'> {
  const terms = { ...holderOf(item), ...termsOf(item) }
  const find = (where: Prisma.GrantWhereInput) =>
    prisma(tx).grant.findFirst({
      where: { ...terms, ...where },
      select: { id: true, givenBy: true, createdAt: true },
    })
  const same =
    (await find({ id: item.targetId })) ?? (await find({ createdAt: { gte: reviewedAt } }))
  if (same) return same
  const others = { ...holderOf(item), pattern: item.gives, effect: 'allow' }
  return (await prisma(tx).grant.count({ where: others, take: 1 })) > 0 ? 'changed' : 'gone'
}

/** Returns the number of removed grants. */
export async function removeReviewed(tx: Transaction, id: string): Promise<number> {
  return (await prisma(tx).grant.deleteMany({ where: { id } })).count
}

/**
 * The same grant for fewer permissions or a shorter time. It is as old as it was: what another item
 * of the review looks for must not be taken for it.
 */
export async function insertNarrower(
  tx: Transaction,
  { item, givenBy, createdAt }: Pick<Found, 'givenBy' | 'createdAt'> & { item: Reviewed },
  patterns: readonly string[],
  until: Date | null,
  now: Date,
): Promise<void> {
  const terms = termsOf(item)
  const ends = [terms.validUntil, until].flatMap((end) => end ?? [])
  const validUntil =
    ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())))
  const stamps = { createdAt, updatedAt: now }
  const data = patterns.map((pattern) => ({
    ...holderOf(item),
    ...terms,
    ...stamps,
    id: newId('grn'),
    pattern,
    validUntil,
    givenBy,
  }))
  await prisma(tx).grant.createMany({ data })
}
