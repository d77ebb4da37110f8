import { patternCovers } from '../../access/pattern'
import type { Op } from '../../context/op'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import type { Actor } from '../../oidc/audit-event'
import { unregistered } from '../../store/permissions/grants'
import { decideItem, type ItemDecision, type ReviewItem } from '../../store/reviews/items'
import { listItems } from '../../store/reviews/lists'
import { holdOpen, type Review } from '../../store/reviews/reviews'
import type { Caller } from '../http/caller'
import {
  type FieldProblem,
  fieldProblem,
  invalidField,
  Problem,
  requireNone,
} from '../http/problem'
import { requireFresh, requireInPerson } from '../requests/decide'
import { reviewEvent } from './news'
import { decidesIn } from './reviewers'

/** Decisions about items: by a person whom they do not concern, as often as they like until the end. */

export type ReviewAnswer = {
  item: string
  decision: ItemDecision['decision']
  comment: string | null
  narrowTo: string[] | null
  until: Date | null
}

export async function decideItems(
  op: Op,
  caller: Caller,
  review: Review,
  said: readonly ReviewAnswer[],
  actor: Actor,
): Promise<void> {
  requireInPerson(caller)
  if (review.status !== 'open') throw reviewOver()
  requireEachOnce(said)
  const ids = said.map(({ item }) => item)
  const items = await op.read((db) => listItems(db, { reviewId: review.id, ids }, ids.length))
  const known = new Map(items.map((item) => [item.id, item]))
  requireNone(missing(said, known))
  await requireNarrower(op, review, said, known)
  const keeps = said.filter(({ decision }) => decision !== 'remove')
  // What is kept is given anew, as an approval gives it.
  if (keeps.some(({ item }) => known.get(item)?.sensitive)) await requireFresh(op, caller)
  const decides = await decidesIn(op, caller, review)
  await op.write(async (tx, audit) => {
    const now = op.now()
    if (!(await holdOpen(tx, review.id, now))) throw reviewOver()
    const filters = { reviewId: review.id, ids, mine: await decides(tx) }
    const mine = new Map((await listItems(tx, filters, ids.length)).map((one) => [one.id, one]))
    if (ids.some((id) => !mine.has(id))) throw notTheirs(said, known, mine, caller)
    // What was decided so before stays in the name of whoever did.
    const changed = said.filter((one) => !isDecidedSo(mine.get(one.item), one))
    for (const { item, decision, comment, narrowTo, until } of changed) {
      const narrows = decision === 'narrow'
      await decideItem(
        tx,
        { id: item, reviewId: review.id },
        {
          decision,
          comment,
          decidedBy: caller.id,
          decidedAt: now,
          decidedTo: narrows ? narrowTo : null,
          decidedUntil: narrows ? until : null,
        },
      )
    }
    const decisions = changed.map(({ item, decision, narrowTo, until }) => ({
      item,
      decision,
      ...(narrowTo && { narrowTo }),
      ...(until && { until: until.toISOString() }),
    }))
    if (decisions.length > 0) audit(reviewEvent('review.decided', review, actor, { decisions }))
  })
}

function isDecidedSo(item: ReviewItem | undefined, said: ReviewAnswer): boolean {
  return (
    item?.decision === said.decision &&
    item.comment === said.comment &&
    item.decidedTo?.join(' ') === said.narrowTo?.join(' ') &&
    item.decidedUntil?.getTime() === said.until?.getTime()
  )
}

export function reviewOver(): Problem {
  return new Problem('conflict', errorMessage('review_over'))
}

type Known = ReadonlyMap<string, ReviewItem>

function at(index: number, member: string): string {
  return `/decisions/${index}/${member}`
}

function requireEachOnce(said: readonly ReviewAnswer[]): void {
  const seen = new Set<string>()
  for (const [index, { item }] of said.entries()) {
    if (seen.has(item)) throw invalidField(at(index, 'item'), errorMessage('review_item_twice'))
    seen.add(item)
  }
}

function missing(said: readonly ReviewAnswer[], known: Known): FieldProblem[] {
  return said.flatMap(({ item }, index) =>
    known.has(item)
      ? []
      : [fieldProblem(at(index, 'item'), errorMessage('no_review_item', { id: item }))],
  )
}

/** Nobody decides about themself; what is above their rank looks like what is not theirs. */
function notTheirs(
  said: readonly ReviewAnswer[],
  known: Known,
  mine: Known,
  caller: Caller,
): Problem {
  const errors = said.flatMap(({ item }, index) => {
    if (mine.has(item)) return []
    const { subject } = known.get(item) ?? {}
    const isOwn = subject?.type === 'user' && subject.id === caller.id
    return [fieldProblem(at(index, 'item'), errorMessage(isOwn ? 'review_own' : 'not_reviewer'))]
  })
  const isOwn = errors.every(({ code }) => code === 'review_own')
  return new Problem('forbidden', errorMessage(isOwn ? 'review_own' : 'not_reviewer'), { errors })
}

// ---------------------------------------------------------------- narrower

export function canHaveEnd({ kind, terms }: ReviewItem): boolean {
  return kind !== 'admin_role' && terms.requestId === null
}

export function canHavePatterns({ kind, gives, terms }: ReviewItem): boolean {
  return kind === 'grant' && terms.requestId === null && gives.endsWith(':*')
}

/** Fewer permissions of the same pattern, or an earlier end; never more. */
async function requireNarrower(
  op: Op,
  { deadline }: Review,
  said: readonly ReviewAnswer[],
  known: Known,
): Promise<void> {
  const patterns = said.flatMap(({ narrowTo }) => narrowTo ?? [])
  const unknown = await op.read((db) => unregistered(db, patterns))
  requireNone(
    said.flatMap((one, index) => {
      const item = known.get(one.item)
      return item ? mistakesIn(one, item, { index, unknown, deadline }) : []
    }),
  )
}

type Circumstances = { index: number; unknown: ReadonlySet<string>; deadline: Date }

function mistakesIn(
  { decision, narrowTo, until }: ReviewAnswer,
  item: ReviewItem,
  { index, unknown, deadline }: Circumstances,
): FieldProblem[] {
  if (decision !== 'narrow') {
    const given = narrowTo !== null ? 'narrowTo' : until !== null ? 'until' : null
    return given ? [fieldProblem(at(index, given), errorMessage('review_narrow_only'))] : []
  }
  if (!canHaveEnd(item))
    return [fieldProblem(at(index, 'decision'), errorMessage('not_narrowable'))]
  if (narrowTo === null && until === null)
    return [fieldProblem(at(index, 'narrowTo'), errorMessage('review_narrow_how'))]
  const isWider = narrowTo?.some(
    (pattern) =>
      !canHavePatterns(item) || pattern === item.gives || !patternCovers(item.gives, pattern),
  )
  return [
    ...(isWider ? [fieldProblem(at(index, 'narrowTo'), errorMessage('narrower_needed'))] : []),
    ...(narrowTo?.some((pattern) => unknown.has(pattern))
      ? [fieldProblem(at(index, 'narrowTo'), errorMessage('unknown_permission'))]
      : []),
    ...(until ? mistakesInEnd(until, item, deadline) : []).map((reason) =>
      fieldProblem(at(index, 'until'), reason),
    ),
  ]
}

/** Nothing is carried out before the review is closed: an earlier end could not be kept. */
function mistakesInEnd(until: Date, { endsAt, terms }: ReviewItem, deadline: Date): ErrorMessage[] {
  if (until <= deadline) return [errorMessage('review_until')]
  if (endsAt !== null && until >= endsAt) return [errorMessage('narrower_needed')]
  const begins = terms.validFrom === null ? null : new Date(terms.validFrom)
  return begins !== null && until <= begins ? [errorMessage('period_order')] : []
}
