import { redirect } from 'next/navigation'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Removal } from '@/app/_ui/removal'
import { Section } from '@/app/_ui/section'
import { AdminForm } from '@/app/admin/_ui/form'
import { type AdminApi, ownApi } from '@/lib/admin/api'
import { previewAccessRequest } from '@/lib/api/requests/asking-routes'
import { getAccessRequest } from '@/lib/api/requests/routes'
import type { AccessRequestWire } from '@/lib/api/requests/wire'
import { momentText } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AccountFrame } from '../../frame'
import { giveBack, withdraw } from '../actions'
import { InEmergency } from '../ask'
import { RequestFacts, Stages, StatusBadge, Votes } from '../facts'
import { ReviewState } from '../review-state'
import { sentencesFor } from '../sentences'

export const generateMetadata = pageTitle(({ requests }) => requests.access.requestTitle)

/** One's own request: how far it is, and the way back to the application. */
export default async function OwnRequestPage({ params, searchParams }: PageProps<'request'>) {
  const api = await ownApi()
  const { request: id } = await params
  const { done } = await searchParams
  const { requests } = await currentMessages()
  const { access: words } = requests
  const request = await api.find(getAccessRequest, { params: { request: id } })
  if (request && request.user.id !== api.session.user.id) {
    redirect(`/account/approvals/${request.id}`)
  }
  const back = <QuietLink href="/account/access">{words.back}</QuietLink>
  if (!request) {
    return (
      <AccountFrame page="access" title={words.goneTitle} intro={words.gone}>
        <div>{back}</div>
      </AccountFrame>
    )
  }
  const title = request.madeBy === null ? words.requestTitle : words.requestTitleFor
  return (
    <AccountFrame page="access" title={title} done={done}>
      <State request={request} />
      {request.review === null ? (
        <Section title={requests.whoDecides}>
          <Stages
            stages={request.stages}
            current={request.status === 'pending' ? request.stage : null}
          />
          <Votes votes={request.votes} />
        </Section>
      ) : (
        <ReviewState request={request} />
      )}
      {request.status === 'pending' && <Sooner api={api} id={request.id} />}
      {request.may.cancel && <Withdrawal id={request.id} />}
      {request.may.revoke && <GivingBack id={request.id} />}
      <div>{back}</div>
    </AccountFrame>
  )
}

async function State({ request }: { request: AccessRequestWire }) {
  const { scope } = request
  const sentence = await sentencesFor([scope])
  return (
    <Section title={sentence(scope)} aside={<StatusBadge request={request} />}>
      <div className="grid gap-1 font-medium">
        <p>{await stateText(request)}</p>
        <NotTheirs request={request} />
        <WayBack request={request} />
      </div>
      <RequestFacts request={request} />
    </Section>
  )
}

async function stateText(request: AccessRequestWire): Promise<string> {
  const { states } = (await currentMessages()).requests.access
  const { status, approvedUntil } = request
  if (status !== 'approved') return states[status]
  const until = approvedUntil === null ? '' : await momentText(approvedUntil)
  return fill((await hasEnded(request)) ? states.ended : states.approved, { until })
}

async function hasEnded({ approvedUntil }: AccessRequestWire): Promise<boolean> {
  return approvedUntil !== null && new Date(approvedUntil) <= (await op()).now()
}

/** An application asked for them; it is theirs to end. */
async function NotTheirs({ request: { madeBy, may } }: { request: AccessRequestWire }) {
  const { access: words } = (await currentMessages()).requests
  if (madeBy === null || !(may.cancel || may.revoke)) return null
  return <p>{fill(words.notYours, { app: madeBy.name })}</p>
}

/** Nobody may be there to decide: those who were named need not wait. */
async function Sooner({ api, id }: { api: AdminApi; id: string }) {
  const seen = await api.send(previewAccessRequest, { body: { request: id } })
  return seen.ok && seen.body.emergency !== null ? <InEmergency what={{ request: id }} /> : null
}

async function WayBack({ request }: { request: AccessRequestWire }) {
  const { access: words } = (await currentMessages()).requests
  const { application, madeBy, status } = request
  if (!application || madeBy !== null || (status !== 'approved' && status !== 'pending'))
    return null
  if (await hasEnded(request)) return null
  const text = status === 'approved' ? words.goBack : words.goBackLater
  return <p>{fill(text, { app: application.name })}</p>
}

async function Withdrawal({ id }: { id: string }) {
  const { requests, common } = await currentMessages()
  const { access: words } = requests
  const texts = { submit: words.withdrawNow, busy: words.withdrawing, problem: common.problem }
  return (
    <Removal summary={words.withdraw} text={words.withdrawText}>
      <AdminForm action={withdraw} words={texts} hidden={{ request: id }} quiet />
    </Removal>
  )
}

async function GivingBack({ id }: { id: string }) {
  const { requests, common } = await currentMessages()
  const { access: words } = requests
  const texts = { submit: words.giveBackNow, busy: words.givingBack, problem: common.problem }
  return (
    <Removal summary={words.giveBack} text={words.giveBackText}>
      <AdminForm action={giveBack} words={texts} hidden={{ request: id }} quiet />
    </Removal>
  )
}
