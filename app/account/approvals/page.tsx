import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { ownApi } from '@/lib/admin/api'
import { listAccessRequests } from '@/lib/api/requests/routes'
import type { AccessRequestWire } from '@/lib/api/requests/wire'
import { momentText } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Marks } from '../access/facts'
import { sentencesFor } from '../access/sentences'
import { AccountFrame } from '../frame'
import { ToReview } from './to-review'

export const generateMetadata = pageTitle(({ requests }) => requests.approvals.title)

/** What waits for this person's decision, the most urgent first. */
export default async function ApprovalsPage() {
  const api = await ownApi()
  const { approvals: words } = (await currentMessages()).requests
  const { data } = await api.get(listAccessRequests, { query: { view: 'decide' } })
  const reviews = await api.get(listAccessRequests, { query: { view: 'review' } })
  return (
    <AccountFrame page="approvals" title={words.title} intro={words.intro}>
      {data.length + reviews.data.length === 0 && <p className="text-muted">{words.none}</p>}
      {reviews.data.map((request) => (
        <ToReview key={request.id} request={request} />
      ))}
      {data.map((request) => (
        <Waiting key={request.id} request={request} />
      ))}
    </AccountFrame>
  )
}

async function Waiting({ request }: { request: AccessRequestWire }) {
  const { approvals: words } = (await currentMessages()).requests
  const { id, user, madeBy, scope, reason, stageDeadline, sensitive, emergency } = request
  const when = await momentText(stageDeadline)
  const sentence = await sentencesFor([scope])
  const asked = { name: user.name, what: sentence(scope) }
  const title =
    madeBy === null ? fill(words.asks, asked) : fill(words.asksFor, { ...asked, app: madeBy.name })
  return (
    <Section
      title={title}
      text={fill(words.deadline, { when })}
      aside={<Marks sensitive={sensitive} emergency={emergency} />}
    >
      {reason !== null && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{reason}</p>}
      <div>
        <QuietLink href={`/account/approvals/${id}`} name={`${words.look}: ${title}`}>
          {words.look}
        </QuietLink>
      </div>
    </Section>
  )
}
