import { WEEK_MS } from '../../../lib/base/time'
import { membersOf } from './facts'
import { type Hands, headersOf, personNamed } from './hands'
import { beyondReviewed } from './model-requests'
import type { Move } from './moves'
import { NotThere } from './names'
import { refused, type Step } from './steps'
import { callAs } from './wire'

/** Whoever could take access away has it reviewed; whoever is named decides about others. */

type MoveOf<Do extends Move['do']> = Extract<Move, { do: Do }>

export function reviewBody(name: string, over: object, reviewers: readonly string[]) {
  const deadline = new Date(Date.now() + WEEK_MS).toISOString()
  return { name, over, reviewers: reviewers.map((id) => ({ type: 'user', id })), deadline }
}

export async function startReview(hands: Hands, move: MoveOf<'start review'>): Promise<Step> {
  const { stage, world, reviews } = hands
  const { over, reviewers } = world.names.fill({ over: move.over, reviewers: move.reviewers })
  const body = reviewBody(`review ${move.serial}`, over, reviewers)
  const who = headersOf(hands, move.as, false)
  const { status, json } = await callAs(stage.origin, who, 'POST', '/reviews', body)
  if (status >= 300) return refused(`${status} ${json?.code ?? ''}`)
  reviews.push({ name: `#${move.serial}`, id: json.id, reviewers })
  return { outcome: `${json.counts.items} items`, done: true }
}

type Item = { id: string; subject: { type: string; id: string } }

/** Everything that this one may decide about, and then the end. */
export async function review(hands: Hands, move: MoveOf<'review'>): Promise<Step> {
  const { stage, reviews } = hands
  const found = reviews.find(({ name }) => name === move.review)
  if (!found) throw new NotThere(move.review)
  const { user: voter, isToken } = personNamed(hands, move.as)
  const call = (method: string, path: string, body?: unknown) =>
    callAs(stage.origin, headersOf(hands, move.as, false), method, path, body)
  const path = `/reviews/${found.id}`
  // Also what is not theirs: all of it, one by one, as somebody does who tries.
  const all = await stage.owner('GET', `${path}/items?view=all&limit=200`)
  const items: Item[] = all.json?.data ?? []
  const decided: Item[] = []
  for (const item of items) {
    const decisions = [{ item: item.id, decision: move.decision }]
    const { status } = await call('POST', `${path}/decisions`, { decisions })
    if (status < 300) decided.push(item)
  }
  const closed = await call('POST', `${path}/closure`, {})
  const subjects = decided.map(({ subject }) => subject.id)
  const reviewers = [
    ...found.reviewers,
    ...(found.group ? await membersOf(stage, found.group) : []),
  ]
  const violations = beyondReviewed({ voter, subjects, reviewers, isToken })
  const done = decided.length > 0 || closed.status < 300
  return { outcome: `${decided.length} of ${items.length}, ${closed.status}`, done, violations }
}
