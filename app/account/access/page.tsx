import { QuietLink } from '@/app/_ui/quiet-link'
import { SearchBox } from '@/app/_ui/search-box'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { type AdminApi, ownApi } from '@/lib/admin/api'
import { listRequestable, type RequestableWire } from '@/lib/api/requests/asking-routes'
import { listAccessRequests } from '@/lib/api/requests/routes'
import type { AccessRequestWire } from '@/lib/api/requests/wire'
import { currentMessages, currentTextPicker, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { AccountFrame } from '../frame'
import { AskForm } from './ask'
import { EmergencyForm } from './emergency'
import { emergencyHref } from './emergency-links'
import { Marks, StatusBadge } from './facts'
import { sentencesFor } from './sentences'

export const generateMetadata = pageTitle(({ requests }) => requests.access.title)

/**
 * What one may ask for and has asked for; with `binding` or `scope`, the form that asks for it; with
 * `request`, the form that opens what is asked for.
 */
export default async function AccessPage({ searchParams }: PageProps) {
  const api = await ownApi()
  const { binding, scope, request, cursor, done, emergency, q } = await searchParams
  const Form = emergency === 'yes' ? EmergencyForm : AskForm
  if (typeof binding === 'string') return <Form api={api} what={{ binding }} />
  if (typeof scope === 'string') return <Form api={api} what={{ scope }} />
  if (typeof request === 'string') return <Form api={api} what={{ request }} />
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return <Overview api={api} cursor={text(cursor)} q={text(q)} done={done} />
}

type OverviewProps = {
  api: AdminApi
  cursor: string | undefined
  q: string | undefined
  done: unknown
}

async function Overview({ api, cursor, q, done }: OverviewProps) {
  const { access: words } = (await currentMessages()).requests
  const { data, page } = await api.get(listAccessRequests, {
    query: { view: 'own', cursor, sort: '-createdAt' },
  })
  const open = data.filter(({ status }) => status === 'pending')
  const past = data.filter(({ status }) => status !== 'pending')
  return (
    <AccountFrame page="access" title={words.title} intro={words.intro} done={done}>
      {(cursor === undefined || open.length > 0) && (
        <Section title={words.open}>
          {open.length === 0 && <p className="text-muted">{words.openNone}</p>}
          <Requests requests={open} />
        </Section>
      )}
      {cursor === undefined && <Catalogue api={api} open={open} q={q} />}
      {past.length > 0 && (
        <Section title={words.past}>
          <Requests requests={past} />
        </Section>
      )}
      <div className="flex flex-wrap gap-x-6">
        {page.next !== null && (
          <QuietLink href={`/account/access?cursor=${encodeURIComponent(page.next)}`}>
            {words.older}
          </QuietLink>
        )}
        {cursor !== undefined && <QuietLink href="/account/access">{words.newest}</QuietLink>}
      </div>
    </AccountFrame>
  )
}

async function Requests({ requests }: { requests: readonly AccessRequestWire[] }) {
  if (requests.length === 0) return null
  const { access: words } = (await currentMessages()).requests
  const sentence = await sentencesFor(requests.map(({ scope }) => scope))
  return (
    <ul className="grid divide-y divide-line border-line border-t">
      {requests.map(({ id, scope, status, review, application, createdAt }) => (
        <li key={id} className={rowClass}>
          <div className="grid min-w-0 gap-0.5">
            <span className="font-medium [overflow-wrap:anywhere]">{sentence(scope)}</span>
            <span className="flex flex-wrap items-center gap-x-3 text-muted text-small">
              <StatusBadge request={{ status, review }} />
              {application?.name}
              <When at={new Date(createdAt)} />
            </span>
          </div>
          <QuietLink href={`/account/access/${id}`} name={`${words.look}: ${sentence(scope)}`}>
            {words.look}
          </QuietLink>
        </li>
      ))}
    </ul>
  )
}

type CatalogueProps = {
  api: AdminApi
  open: readonly AccessRequestWire[]
  q: string | undefined
}

/** Fewer are seen at a glance. */
const SEARCHED_FROM = 10

async function Catalogue({ api, open, q }: CatalogueProps) {
  const { access: words } = (await currentMessages()).requests
  const { data, complete } = await api.get(listRequestable, { query: { q: q?.slice(0, 200) } })
  // What was asked for in an application is the same to whoever asked.
  const asked = ({ scope, request }: RequestableWire) =>
    request ?? open.find((one) => one.scope === scope && one.resource === null)?.id ?? null
  if (data.length === 0 && q === undefined) {
    return (
      <Section title={words.catalogue}>
        <p className="text-muted">{words.catalogueNone}</p>
      </Section>
    )
  }
  return (
    <Section title={words.catalogue} text={words.catalogueText}>
      {(q !== undefined || data.length >= SEARCHED_FROM) && (
        <SearchBox path="/account/access" label={words.search} q={q ?? ''} />
      )}
      {data.length === 0 && <p className="text-muted">{words.searchNone}</p>}
      <ul className="grid divide-y divide-line border-line border-t">
        {data.map((one) => (
          <Requestable key={one.scope} one={one} asked={asked(one)} />
        ))}
      </ul>
      {!complete && (
        <p className="text-muted">{fill(words.more, { count: String(data.length) })}</p>
      )}
    </Section>
  )
}

async function Requestable({ one, asked }: { one: RequestableWire; asked: string | null }) {
  const { access: words, emergencies } = (await currentMessages()).requests
  const inWords = await currentTextPicker()
  const { scope, api, descriptions, sensitive } = one
  const sentence = inWords(descriptions) ?? scope
  const label = asked === null ? words.ask : words.look
  const href =
    asked === null
      ? `/account/access?scope=${encodeURIComponent(scope)}`
      : `/account/access/${asked}`
  return (
    <li className={rowClass}>
      <div className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-3 font-medium">
          <span className="min-w-0 [overflow-wrap:anywhere]">{sentence}</span>
          <Marks sensitive={sensitive} />
        </span>
        <span className="flex flex-wrap gap-x-3 text-muted text-small">
          {api?.name}
          <code className="font-mono [overflow-wrap:anywhere]">{scope}</code>
        </span>
      </div>
      <div className="flex flex-wrap gap-x-6">
        <QuietLink href={href} name={`${label}: ${sentence}`}>
          {label}
        </QuietLink>
        {one.emergency !== null && (
          <QuietLink href={emergencyHref({ scope })} name={`${emergencies.title}: ${sentence}`}>
            {emergencies.title}
          </QuietLink>
        )}
      </div>
    </li>
  )
}

const rowClass = 'flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3'
