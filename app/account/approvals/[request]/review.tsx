import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { ADMIN_PAGES } from '@/lib/admin/pages'
import { scopesOf } from '@/lib/api/http/caller'
import type { AccessRequestDetail } from '@/lib/api/requests/routes'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Session } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { Marks, RequestFacts } from '../../access/facts'
import { ReviewState } from '../../access/review-state'
import { sentencesFor } from '../../access/sentences'
import { AccountFrame } from '../../frame'
import { wayToProof } from '../../proof'
import { Background } from './background'
import { Ending } from './ending'
import { ReviewForm } from './review-form'

type About = { request: AccessRequestDetail; session: Session }

/** Somebody opened access in an emergency: what and why; was it justified? */
export async function OpenedInEmergency({ request, session, done }: About & { done: unknown }) {
  const { approvals, emergencies: words } = (await currentMessages()).requests
  const sentence = await sentencesFor([request.scope])
  const title = fill(words.openedTitle, { name: request.user.name })
  return (
    <AccountFrame page="approvals" title={title} done={done}>
      <Section
        title={sentence(request.scope)}
        aside={<Marks sensitive={request.sensitive} emergency />}
      >
        <RequestFacts request={request} />
      </Section>
      <Used request={request} session={session} />
      <Background request={request} />
      <ReviewState request={request} />
      {request.may.review && <Review request={request} session={session} />}
      {request.may.revoke && !request.may.review && <Ending request={request} />}
      <div>
        <QuietLink href="/account/approvals">{approvals.back}</QuietLink>
      </div>
    </AccountFrame>
  )
}

/** What applications got, and where the rest is, for those who may read it. */
async function Used({ request: { used, user, createdAt, approvedUntil }, session }: About) {
  const { emergencies: words } = (await currentMessages()).requests
  if (used === null) return null
  const to = approvedUntil === null ? {} : { to: approvedUntil }
  const query = new URLSearchParams({ actorId: user.id, from: createdAt, ...to })
  const readsLog = scopesOf(session.user.adminRole).has(ADMIN_PAGES[AUDIT])
  return (
    <Section title={words.used} text={await usedText(used)}>
      {readsLog && (
        <div>
          <QuietLink href={`${AUDIT}?${query}`}>{words.usedLog}</QuietLink>
        </div>
      )}
    </Section>
  )
}

const AUDIT = '/admin/audit'

type Use = NonNullable<AccessRequestDetail['used']>

async function usedText({ count, lastAt, complete }: Use): Promise<string> {
  const { emergencies: words } = (await currentMessages()).requests
  const locale = await currentLocale()
  const what =
    lastAt === null
      ? words.usedNever
      : plural(locale, words.usedTimes, count, { when: await momentText(lastAt) })
  return [what, complete ? '' : words.usedPartly, words.usedNote].filter(Boolean).join(' ')
}

async function Review({ request, session }: About) {
  const { requests, common } = await currentMessages()
  const { approvals, emergencies: words } = requests
  const here = `/account/approvals/${request.id}`
  const proof = request.sensitive ? await wayToProof(session, here) : null
  if (proof) {
    return (
      <Section title={approvals.proofTitle} text={words.reviewProof}>
        <div>
          <LinkButton href={proof.href}>{proof.label}</LinkButton>
        </div>
      </Section>
    )
  }
  const corrects = request.review?.reviewedAt !== null
  const { foundHint, justified, unjustified, reviewing } = words
  const found = corrects ? words.corrected : words.found
  const texts = { found, foundHint, justified, reviewing, ...(!corrects && { unjustified }) }
  const [title, text] = corrects
    ? [words.correct, words.correctText]
    : [words.yourReview, words.yourReviewText]
  return (
    <Section title={title} text={text}>
      <ReviewForm request={request.id} words={texts} problem={common.problem} />
    </Section>
  )
}
