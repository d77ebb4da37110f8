import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import type { AccessRequestWire } from '@/lib/api/requests/wire'
import { momentText } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Marks } from '../access/facts'
import { sentencesFor } from '../access/sentences'

/** Opened in an emergency, and waiting for this person's review. */
export async function ToReview({ request }: { request: AccessRequestWire }) {
  const { emergencies: words } = (await currentMessages()).requests
  const { id, user, scope, reason, review, sensitive } = request
  const when = await momentText(review?.deadline ?? '')
  const sentence = await sentencesFor([scope])
  const title = fill(words.opened, { name: user.name, what: sentence(scope) })
  const text = fill(review?.missedAt ? words.reviewLate : words.reviewUntil, { when })
  return (
    <Section title={title} text={text} aside={<Marks sensitive={sensitive} emergency />}>
      {reason !== null && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{reason}</p>}
      <div>
        <QuietLink href={`/account/approvals/${id}`} name={`${words.doReview}: ${title}`}>
          {words.doReview}
        </QuietLink>
      </div>
    </Section>
  )
}
