import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { Bar, overText } from '@/app/account/reviews/facts'
import { adminPage, withQuery } from '@/lib/admin/api'
import { listAccessReviews } from '@/lib/api/reviews/routes'
import type { ReviewWire } from '@/lib/api/reviews/wire'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { plural } from '@/lib/i18n/plural'
import { Empty } from '../../_ui/empty'
import { AdminFrame } from '../../_ui/frame'
import { Pages } from '../../_ui/pages'
import { StateBadge } from '../../_ui/state-badge'
import { GovernanceTabs } from '../../governance/tabs'
import { TONES } from './tones'

export const generateMetadata = pageTitle(({ admin }) => admin.reviews.title)

const AT_ONCE = 20

/** All reviews, or those that one started oneself. */
export default async function ReviewsPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/reports/reviews')
  const { cursor, done } = await searchParams
  const { reviews: words } = (await currentMessages()).admin
  const { data, page } = await api.get(listAccessReviews, {
    query: {
      view: api.may('assignments:read') ? 'all' : 'started',
      sort: '-createdAt',
      limit: AT_ONCE,
      cursor: typeof cursor === 'string' ? cursor : undefined,
    },
  })
  const start = api.may('applications:write') && (
    <LinkButton href="/admin/reports/reviews/new">{words.start}</LinkButton>
  )
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={words.title}
      intro={words.intro}
      action={data.length > 0 && start}
      done={done}
    >
      <GovernanceTabs api={api} at="reviews" />
      {data.length === 0 && (
        <Empty title={words.emptyTitle} text={words.empty}>
          {start}
        </Empty>
      )}
      {data.map((review) => (
        <OneReview key={review.id} review={review} />
      ))}
      <Pages page={page} hrefOf={(at) => withQuery('/admin/reports/reviews', { cursor: at })} />
    </AdminFrame>
  )
}

async function OneReview({ review }: { review: ReviewWire }) {
  const { reviews, admin } = await currentMessages()
  const locale = await currentLocale()
  const { id, name, status, counts, deadline } = review
  const done = counts.items - counts.undecided
  const { look } = admin.reviews
  return (
    <Section
      title={name}
      text={await overText(review)}
      aside={<StateBadge tone={TONES[status]}>{reviews.statuses[status]}</StateBadge>}
    >
      <Bar
        done={done}
        total={counts.items}
        label={`${reviews.progressLabel}: ${name}`}
        text={plural(locale, reviews.progress, counts.items, { done: String(done) })}
      />
      {status === 'open' && (
        <p className="text-muted">
          {reviews.deadline} {await momentText(deadline)}
        </p>
      )}
      <div>
        <QuietLink href={`/admin/reports/reviews/${id}`} name={`${look}: ${name}`}>
          {look}
        </QuietLink>
      </div>
    </Section>
  )
}
