import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { namesOfApprovers } from '@/lib/api/requests/approver-names'
import type { AccessRequestWire } from '@/lib/api/requests/wire'
import { momentText } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { approverText, Fact, FactList } from './facts'

type About = { request: AccessRequestWire }

/** How far the review is of what was opened in an emergency. */
export async function ReviewState({ request: { review } }: About) {
  const { requests } = await currentMessages()
  const { emergencies: words } = requests
  if (review === null) return null
  const { deadline, missedAt, reviewedAt, reviewer, justified, reason } = review
  const when = await momentText(deadline)
  const names = await namesOfApprovers(await op(), review.reviewers)
  if (reviewedAt === null) {
    return (
      <Section
        title={words.review}
        text={missedAt === null ? fill(words.reviewBy, { when }) : fill(words.missed, { when })}
      >
        <FactList>
          <Fact term={words.reviewers}>
            {review.reviewers.map((one) => approverText(one, names, requests)).join(' · ')}
          </Fact>
        </FactList>
      </Section>
    )
  }
  if (justified === null) return <Section title={words.review} text={words.closed} />
  const name = reviewer?.name ?? words.somebody
  return (
    <Section title={words.review}>
      <p>
        {fill(justified ? words.foundJustified : words.foundUnjustified, { name })}{' '}
        <span className="text-muted text-small">
          <When at={new Date(reviewedAt)} />
        </span>
      </p>
      {reason !== null && (
        <p className="border-line border-s-2 ps-3 whitespace-pre-line [overflow-wrap:anywhere]">
          {reason}
        </p>
      )}
    </Section>
  )
}
