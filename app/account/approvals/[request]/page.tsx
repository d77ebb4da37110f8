import type { ReactNode } from 'react'
import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { ownApi } from '@/lib/admin/api'
import { type AccessRequestDetail, getAccessRequest } from '@/lib/api/requests/routes'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Session } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { RequestFacts, Stages, StatusBadge, Votes } from '../../access/facts'
import { sentencesFor } from '../../access/sentences'
import { durationText, shorterThan } from '../../access/times'
import { AccountFrame } from '../../frame'
import { wayToProof } from '../../proof'
import { Background } from './background'
import { Ending } from './ending'
import { DecisionForm, DenialForm } from './form'
import { OpenedInEmergency } from './review'

export const generateMetadata = pageTitle(({ requests }) => requests.approvals.title)

/** Somebody asks for access: what, why and what it means; approve or deny. */
export default async function ApprovalPage({ params, searchParams }: PageProps<'request'>) {
  const api = await ownApi()
  const { request: id } = await params
  const { done } = await searchParams
  const { approvals: words } = (await currentMessages()).requests
  const request = await api.find(getAccessRequest, { params: { request: id } })
  if (!request) return <Told title={words.goneTitle} text={words.gone} />
  if (request.user.id === api.session.user.id) {
    return (
      <Told title={words.ownTitle} text={words.own}>
        <LinkButton href={`/account/access/${request.id}`}>{words.seeOwn}</LinkButton>
      </Told>
    )
  }
  if (request.review !== null) {
    return <OpenedInEmergency request={request} session={api.session} done={done} />
  }
  const { madeBy, user } = request
  const both = { name: user.name, app: madeBy?.name ?? '' }
  const title = madeBy ? fill(words.requestTitleFor, both) : fill(words.requestTitle, both)
  const intro = madeBy ? { intro: fill(words.madeByText, both) } : {}
  return (
    <AccountFrame page="approvals" title={title} {...intro} done={done}>
      <Asked request={request} />
      <Background request={request} />
      <Decision request={request} session={api.session} />
      <Progress request={request} />
      {request.may.revoke && <Ending request={request} />}
      <div>
        <QuietLink href="/account/approvals">{words.back}</QuietLink>
      </div>
    </AccountFrame>
  )
}

type ToldProps = { title: string; text: string; children?: ReactNode }

async function Told({ title, text, children }: ToldProps) {
  const { approvals: words } = (await currentMessages()).requests
  return (
    <AccountFrame page="approvals" title={title} intro={text}>
      <div className="flex flex-wrap gap-4">
        {children}
        <QuietLink href="/account/approvals">{words.back}</QuietLink>
      </div>
    </AccountFrame>
  )
}

type About = { request: AccessRequestDetail }

async function Asked({ request }: About) {
  const { requests: words } = await currentMessages()
  const { sensitive, emergency, scope } = request
  const sentence = await sentencesFor([scope])
  return (
    <Section title={sentence(scope)} aside={<StatusBadge request={request} />}>
      <RequestFacts request={request} />
      {(sensitive || emergency) && (
        <p className="font-medium">
          {[emergency && words.emergency, sensitive && words.sensitive].filter(Boolean).join(' · ')}
        </p>
      )}
    </Section>
  )
}

/** The form, or why there is none. */
async function Decision({ request, session }: About & { session: Session }) {
  const { approvals: words } = (await currentMessages()).requests
  if (!request.may.decide) {
    const [title, text] = await whyNot(request, session)
    return <Section title={title} text={text} />
  }
  const here = `/account/approvals/${request.id}`
  const proof = request.sensitive ? await wayToProof(session, here, 'approve') : null
  if (!proof) return <Form request={request} />
  return (
    <>
      <Section title={words.proofTitle} text={proof.hasFactor ? words.proofText : words.setUpText}>
        <div>
          <LinkButton href={proof.href}>{proof.label}</LinkButton>
        </div>
      </Section>
      <Denial request={request} />
    </>
  )
}

/** Nothing is given by it, so it needs no second factor. */
async function Denial({ request }: About) {
  const { requests, common } = await currentMessages()
  const { denyOnly, denyOnlyText, why, whyHint, deny, denying } = requests.approvals
  const texts = { why, whyHint, deny, denying }
  return (
    <Section title={denyOnly} text={denyOnlyText}>
      <DenialForm request={request.id} words={texts} problem={common.problem} />
    </Section>
  )
}

async function whyNot(request: AccessRequestDetail, { user }: Session): Promise<[string, string]> {
  const { approvals: words } = (await currentMessages()).requests
  if (request.status !== 'pending') return [words.overTitle, await overText(request)]
  const voted = request.votes.some(({ approver }) => approver.id === user.id)
  return voted ? [words.votedTitle, words.voted] : [words.lookingTitle, words.looking]
}

async function overText({ status, approvedUntil, user }: AccessRequestDetail): Promise<string> {
  const { approvals: words } = (await currentMessages()).requests
  const isHeld =
    status === 'approved' && approvedUntil && new Date(approvedUntil) > (await op()).now()
  if (!isHeld) return words.over
  return fill(words.inForce, {
    name: user.name,
    until: await momentText(approvedUntil),
  })
}

async function Form({ request }: About) {
  const { requests, common } = await currentMessages()
  const { approvals: words } = requests
  const locale = await currentLocale()
  const now = (await op()).now().getTime()
  const left = Math.floor((new Date(request.longestUntil).getTime() - now) / 1000)
  const until = await momentText(request.longestUntil)
  const shorter = shorterThan(left).map(
    (seconds) =>
      [String(seconds), fill(words.shorter, { duration: durationText(seconds, locale) })] as const,
  )
  const ends = [['', until] as const, ...shorter]
  const { why, whyHint, howLong, howLongHint, approve, approving, deny, denying } = words
  const texts = { why, whyHint, howLong, howLongHint, approve, approving, deny, denying }
  return (
    <Section title={words.decide}>
      <DecisionForm request={request.id} ends={ends} words={texts} problem={common.problem} />
    </Section>
  )
}

async function Progress({ request }: About) {
  const { requests: words } = await currentMessages()
  const { stages, stage, status, votes } = request
  return (
    <Section title={words.votes}>
      <Stages stages={stages} current={status === 'pending' ? stage : null} />
      <Votes votes={votes} />
    </Section>
  )
}
