import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { Bar, overText, reviewersText } from '@/app/account/reviews/facts'
import { adminPage } from '@/lib/admin/api'
import { getAccessReview } from '@/lib/api/reviews/routes'
import type { ReviewWire } from '@/lib/api/reviews/wire'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { plural } from '@/lib/i18n/plural'
import { DangerZone } from '../../../_ui/danger'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm } from '../../../_ui/form'
import { AdminFrame } from '../../../_ui/frame'
import { StateBadge } from '../../../_ui/state-badge'
import { cancelReview, closeReview } from '../actions'
import { TONES } from '../tones'
import { Items } from './items'

export const generateMetadata = pageTitle(({ admin }) => admin.reviews.title)

/** How far a review is, what was decided, and its end: closed with evidence, or cancelled. */
export default async function AdminReviewPage({ params, searchParams }: PageProps<'review'>) {
  const api = await adminPage('/admin/reports/reviews/[review]')
  const { review: id } = await params
  const query = await searchParams
  const review = await api.get(getAccessReview, { params: { review: id } })
  const { reviews, admin } = await currentMessages()
  const { status } = review
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={review.name}
      intro={await overText(review)}
      above={{ href: '/admin/reports/reviews', label: admin.reviews.above }}
      action={<StateBadge tone={TONES[status]}>{reviews.statuses[status]}</StateBadge>}
      done={query.done}
    >
      <Status review={review} />
      {status === 'open' && <Closing review={review} />}
      {review.digest !== null && <Evidence id={review.id} digest={review.digest} />}
      <Items api={api} review={review} query={query} />
      {review.may.cancel && <Cancelling id={review.id} />}
    </AdminFrame>
  )
}

type About = { review: ReviewWire }

async function Status({ review }: About) {
  const { reviews, admin } = await currentMessages()
  const locale = await currentLocale()
  const { counts, deadline, startedBy, createdAt, fallback, leftOut } = review
  const done = counts.items - counts.undecided
  return (
    <Section title={admin.reviews.counts}>
      <Bar
        done={done}
        total={counts.items}
        label={reviews.progressLabel}
        text={plural(locale, reviews.progress, counts.items, { done: String(done) })}
      />
      <Counts review={review} />
      <Facts>
        <Fact term={reviews.deadline}>{await momentText(deadline)}</Fact>
        <Fact term={reviews.reviewers}>{await reviewersText(review.reviewers)}</Fact>
        {fallback.length > 0 && (
          <Fact term={reviews.fallback}>{await reviewersText(fallback)}</Fact>
        )}
        <Fact term={reviews.startedBy}>
          {startedBy.name} <When at={createdAt} />
        </Fact>
        <Ended review={review} />
      </Facts>
      {leftOut > 0 && (
        <p className="text-muted">{plural(locale, admin.reviews.leftOut, leftOut)}</p>
      )}
    </Section>
  )
}

async function Ended({ review: { closedAt, closedBy, status } }: About) {
  const { reviews: words } = (await currentMessages()).admin
  if (closedAt === null || status === 'cancelled') return null
  return (
    <Fact term={words.closedBy}>
      {closedBy?.name ?? words.byDeadline} <When at={closedAt} />
    </Fact>
  )
}

/** The decisions in numbers and, once they are carried out, the results. */
async function Counts({ review: { counts } }: About) {
  const { reviews, admin } = await currentMessages()
  const decided = [
    [reviews.decisions.keep, counts.keep],
    [reviews.decisions.narrow, counts.narrow],
    [reviews.decisions.remove, counts.remove],
    [admin.reviews.undecided, counts.undecided],
  ] as const
  const outcomes = Object.entries(counts.outcomes).map(
    ([outcome, count]) =>
      [reviews.outcomes[outcome as keyof typeof reviews.outcomes], count] as const,
  )
  return (
    <>
      <Numbers numbers={decided} />
      {outcomes.length > 0 && (
        <div className="grid gap-2">
          <h3 className="font-semibold">{admin.reviews.outcome}</h3>
          <Numbers numbers={outcomes} />
        </div>
      )}
    </>
  )
}

function Numbers({ numbers }: { numbers: readonly (readonly [string, number])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {numbers.map(([term, count]) => (
        <div key={term} className="grid">
          <dt className="text-muted text-small">{term}</dt>
          <dd className="font-semibold text-lead">{count}</dd>
        </div>
      ))}
    </dl>
  )
}

async function Closing({ review }: About) {
  const { admin, common } = await currentMessages()
  const { reviews: words } = admin
  const { undecided } = review.counts
  if (!review.may.close)
    return <p className="text-muted">{undecided > 0 ? words.closeWait : words.closeOthers}</p>
  return (
    <Section title={words.closeTitle} text={words.closeText}>
      <AdminForm
        action={closeReview}
        words={{ submit: words.close, busy: words.closing, problem: common.problem }}
        hidden={{ review: review.id }}
      />
    </Section>
  )
}

async function Cancelling({ id }: { id: string }) {
  const { admin, common } = await currentMessages()
  const { reviews: words } = admin
  const texts = { submit: words.cancel, busy: words.cancelling, problem: common.problem }
  return (
    <DangerZone title={words.cancelTitle} summary={words.cancelSummary} text={words.cancelText}>
      <AdminForm action={cancelReview} words={texts} hidden={{ review: id }} />
    </DangerZone>
  )
}

async function Evidence({ id, digest }: { id: string; digest: string }) {
  const { reviews: words } = (await currentMessages()).admin
  const file = `/api/v1/reviews/${encodeURIComponent(id)}/evidence`
  return (
    <Section title={words.evidence} text={words.evidenceText}>
      <Facts>
        <Fact term={words.digest} copy={digest}>
          {digest}
        </Fact>
      </Facts>
      <div className="flex flex-wrap gap-3">
        <LinkButton href={`${file}?format=json`} tone="quiet">
          {words.json}
        </LinkButton>
        <LinkButton href={`${file}?format=csv`} tone="quiet">
          {words.csv}
        </LinkButton>
      </div>
    </Section>
  )
}
