import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { ownApi } from '@/lib/admin/api'
import { listAccessReviews } from '@/lib/api/reviews/routes'
import type { ReviewWire } from '@/lib/api/reviews/wire'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { AccountFrame } from '../frame'
import { Bar, overText } from './facts'

export const generateMetadata = pageTitle(({ reviews }) => reviews.own.title)

/** The reviews in which this person decides. */
export default async function ReviewsPage() {
  const api = await ownApi()
  const { own: words } = (await currentMessages()).reviews
  const { data } = await api.get(listAccessReviews, { query: { view: 'decide' } })
  return (
    <AccountFrame page="reviews" title={words.title} intro={words.intro}>
      {data.length === 0 && (
        <div className="grid gap-1">
          <p>{words.none}</p>
          <p className="text-muted">{words.noneText}</p>
        </div>
      )}
      {data.map((review) => (
        <Waiting key={review.id} review={review} />
      ))}
    </AccountFrame>
  )
}

async function Waiting({ review }: { review: ReviewWire }) {
  const { reviews } = await currentMessages()
  const { own: words } = reviews
  const locale = await currentLocale()
  const { mine, mineUndecided } = review.counts
  const done = mine - mineUndecided
  const label = mineUndecided > 0 ? words.look : words.seeAgain
  return (
    <Section title={review.name} text={await overText(review)}>
      <Bar
        done={done}
        total={mine}
        label={`${reviews.progressLabel}: ${review.name}`}
        text={plural(locale, words.mine, mine, { done: String(done) })}
      />
      <p>{fill(words.silence, { when: await momentText(review.deadline) })}</p>
      <div>
        <QuietLink href={`/account/reviews/${review.id}`} name={`${label}: ${review.name}`}>
          {label}
        </QuietLink>
      </div>
    </Section>
  )
}
