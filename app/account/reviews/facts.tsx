import { Badge } from '@/app/_ui/badge'
import { When } from '@/app/_ui/when'
import { namesOfApprovers } from '@/lib/api/requests/approver-names'
import type { ReviewItemWire, ReviewWire } from '@/lib/api/reviews/wire'
import { currentClock, momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill, fillUnchecked } from '@/lib/i18n/fill'
import { written } from '@/lib/i18n/moments'
import { plural } from '@/lib/i18n/plural'
import { op } from '@/lib/op'
import { approverText, Fact, FactList } from '../access/facts'

/** What reviews show to those who start them and to those who decide in them. */

export async function overText({ over }: Pick<ReviewWire, 'over'>): Promise<string> {
  const { reviews: words } = await currentMessages()
  const { type, name, id, days } = over
  return fillUnchecked(words.over[type], { name: name ?? id ?? '', days: String(days ?? '') })
}

/** The names of those who decide. */
export async function reviewersText(approvers: ReviewWire['reviewers']): Promise<string> {
  const { requests } = await currentMessages()
  const names = await namesOfApprovers(await op(), approvers)
  return approvers.map((one) => approverText(one, names, requests)).join(' · ')
}

type BarProps = { done: number; total: number; label: string; text: string }

export function Bar({ done, total, label, text }: BarProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <progress
        value={total === 0 ? 1 : done / total}
        max={1}
        aria-label={label}
        className="h-2 min-w-40 flex-1 appearance-none overflow-hidden rounded-full border border-edge bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
      />
      <span className="text-small">{text}</span>
    </div>
  )
}

type Item = { item: ReviewItemWire }

/** In the order in which the first of each comes. */
export function groupsOf(
  items: readonly ReviewItemWire[],
  keyOf: (item: ReviewItemWire) => string,
): [key: string, items: ReviewItemWire[]][] {
  const groups = new Map<string, ReviewItemWire[]>()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return [...groups]
}

/** “Role Clerk”: what the item gives, in words. */
export function givesText({ gives }: ReviewItemWire, { reviews, adminRoles }: Messages): string {
  const roles: Readonly<Record<string, string>> = adminRoles
  const name = gives.type === 'admin_role' ? (roles[gives.id] ?? gives.name) : gives.name
  return `${reviews.kinds[gives.type]} ${name}`
}

/** “Person Ada”, “Access key ak_1 of Billing”. */
export function subjectText(item: ReviewItemWire, { reviews: words }: Messages): string {
  const { subject, application } = item
  const of =
    application && subject.type === 'access_key'
      ? ` ${fill(words.ofApplication, { name: application.name })}`
      : ''
  return `${words.subjects[subject.type]} ${subject.name}${of}`
}

export async function ItemMarks({ item }: Item) {
  const { reviews: words } = await currentMessages()
  return (
    <>
      {item.portal && <Badge tone="quiet">{words.portal}</Badge>}
      {item.sensitive && !item.portal && <Badge>{words.sensitive}</Badge>}
      {item.request !== null && <Badge tone="quiet">{words.byRequest}</Badge>}
    </>
  )
}

/** Since when, until when, by whom, and when it was used. */
export async function ItemFacts({ item }: Item) {
  const { reviews: words } = await currentMessages()
  const { since, validFrom, endsAt, givenBy, instance, condition, exchangeFrom } = item
  const { subject, application } = item
  return (
    <FactList>
      <Fact term={words.since}>
        <When at={new Date(since)} />
        {givenBy !== null && givenBy.type !== 'system' && ` · ${words.givenBy} ${givenBy.name}`}
      </Fact>
      {validFrom !== null && <Fact term={words.begins}>{await momentText(validFrom)}</Fact>}
      {endsAt !== null && <Fact term={words.ends}>{await momentText(endsAt)}</Fact>}
      <Fact term={words.lastUse}>
        <LastUse item={item} />
      </Fact>
      {application && subject.type === 'user' && (
        <Fact term={words.subjects.application}>{application.name}</Fact>
      )}
      {instance !== null && <Fact term={words.instance}>{instance}</Fact>}
      {exchangeFrom !== null && (
        <Fact term={words.exchangeFrom}>
          {exchangeFrom === '*' ? words.exchangeAny : <code className="code">{exchangeFrom}</code>}
        </Fact>
      )}
      {condition !== null && (
        <Fact term={words.condition}>
          <code className="code">{condition}</code>
        </Fact>
      )}
    </FactList>
  )
}

async function LastUse({ item: { lastUsedAt, useKnownSince } }: Item) {
  const { reviews: words } = await currentMessages()
  if (lastUsedAt !== null) return <When at={new Date(lastUsedAt)} />
  if (useKnownSince === null) return <span className="text-muted">{words.useNotKnown}</span>
  const day = written(useKnownSince, 'day', await currentClock())
  return fill(words.useNone, { when: day })
}

/** What the facts suggest, and why. */
export async function Suggestion({ item }: Item) {
  const { reviews: words } = await currentMessages()
  const { suggestion, narrowTo } = item
  const permissions = narrowTo.join(' ')
  const what =
    suggestion === null
      ? words.suggestions.none
      : fillUnchecked(words.suggestions[suggestion], { permissions })
  return (
    <p className="rounded-control bg-wash px-3 py-2 [overflow-wrap:anywhere]">
      <span className="font-semibold">
        {words.suggestion}: {what}
      </span>{' '}
      <span className="text-muted">{await reasonText(item)}</span>
    </p>
  )
}

async function reasonText({ reason, unusedDays }: ReviewItemWire): Promise<string> {
  const { reasons } = (await currentMessages()).reviews
  if (reason !== 'unused') return reasons[reason]
  return plural(await currentLocale(), reasons.unused, unusedDays ?? 0)
}

/** Who decided what, and what came of it. */
export async function Decided({ item }: Item) {
  const { reviews: words } = await currentMessages()
  const { decision, decidedBy, decidedTo, decidedUntil, comment, outcome, outcomeReason } = item
  const details = [
    decidedTo?.join(' '),
    decidedUntil === null ? null : `${words.ends} ${await momentText(decidedUntil)}`,
  ].filter(Boolean)
  return (
    <div className="grid gap-0.5 [overflow-wrap:anywhere]">
      {decision !== null && (
        <p className="font-medium">
          {fill(words.decided[decision], { name: decidedBy?.name ?? '' })}
          {details.length > 0 && <span className="font-normal">: {details.join(' · ')}</span>}
        </p>
      )}
      {comment !== null && (
        <p className="border-line border-s-2 ps-3 whitespace-pre-line">{comment}</p>
      )}
      {outcome !== null && (
        <p>
          {words.outcomes[outcome]}
          {outcomeReason !== null && <Why reason={outcomeReason} />}
        </p>
      )}
    </div>
  )
}

async function Why({ reason }: { reason: string }) {
  const known: Readonly<Record<string, string>> = (await currentMessages()).reviews.outcomeReasons
  const text = known[reason]
  return text !== undefined && ` · ${text}`
}
