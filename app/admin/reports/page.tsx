import { LinkButton } from '@/app/_ui/link-button'
import { type AdminApi, adminPage, withQuery } from '@/lib/admin/api'
import { daysIn, WINDOWS } from '@/lib/admin/days'
import { type LeastPrivilegeLine, leastPrivilege } from '@/lib/api/records/reports'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { Empty } from '../_ui/empty'
import { AdminFrame } from '../_ui/frame'
import { Progress, percentOf } from '../_ui/progress'
import { GovernanceTabs } from '../governance/tabs'

export const generateMetadata = pageTitle(({ admin }) => admin.access.reports.least)

const MAX_SHOWN = 100

export default async function ReportsPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/reports')
  const params = await searchParams
  const days = daysIn(params)
  const { admin } = await currentMessages()
  const { reports: words } = admin.access
  const after = typeof params.after === 'string' ? params.after : undefined
  const report = await api.get(leastPrivilege, { query: { days, after } })
  const lines = report.data.filter((line) => findings(line) > 0)
  const shown = lines.sort((a, b) => findings(b) - findings(a)).slice(0, MAX_SHOWN)
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={admin.access.reports.least}
      intro={words.intro}
      action={
        lines.length > 0 &&
        api.may('applications:write') && (
          <LinkButton
            href={withQuery('/admin/reports/reviews/new', { over: 'unused', days })}
            tone="quiet"
          >
            {admin.reviews.start}
          </LinkButton>
        )
      }
      done={params.done}
    >
      <GovernanceTabs api={api} at="least" />
      <Windows days={days} />
      {!report.complete && <p className="font-medium text-danger">{words.incomplete}</p>}
      {lines.length === 0 ? (
        <Empty title={words.emptyTitle} text={words.empty} />
      ) : (
        <ul className="grid gap-4">
          {shown.map((line) => (
            <Line key={line.client} api={api} line={line} days={days} />
          ))}
        </ul>
      )}
      {lines.length > shown.length && (
        <p>{plural(await currentLocale(), words.more, lines.length - shown.length)}</p>
      )}
      {report.next !== null && <NextPart days={days} {...report} next={report.next} />}
      <p className="text-muted text-small">{words.note}</p>
    </AdminFrame>
  )
}

function findings({ neverAsked, alwaysRefused }: LeastPrivilegeLine): number {
  return neverAsked.length + alwaysRefused.length
}

type NextProps = { days: number; next: string; progress: number }

/** With very many applications the report comes in parts. */
async function NextPart({ days, next, progress }: NextProps) {
  const { reports: words } = (await currentMessages()).admin.access
  const text = fill(words.partDone, { percent: percentOf(progress) })
  return (
    <Progress done={progress} label={words.part} text={text}>
      <LinkButton href={withQuery('/admin/reports', { days, after: next })} tone="quiet">
        {words.nextPart}
      </LinkButton>
    </Progress>
  )
}

async function Windows({ days }: { days: number }) {
  const { reports: words } = (await currentMessages()).admin.access
  return (
    <nav aria-label={words.window}>
      <ul className="flex flex-wrap gap-2">
        {WINDOWS.map((window) => (
          <li key={window}>
            <a
              href={withQuery('/admin/reports', { days: window })}
              aria-current={window === days ? 'true' : undefined}
              className="inline-flex min-h-9 items-center rounded-control border border-edge px-3 text-small hover:border-ink aria-[current]:border-accent aria-[current]:bg-wash aria-[current]:font-semibold"
            >
              {fill(words.days, { days: String(window) })}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type LineProps = { api: AdminApi; line: LeastPrivilegeLine; days: number }

async function Line({ api, line, days }: LineProps) {
  const { reports: words } = (await currentMessages()).admin.access
  const { client, application, name, granted, neverAsked, alwaysRefused } = line
  const mayClean = neverAsked.length > 0 && api.may('applications:write')
  return (
    <li className="grid gap-4 rounded-panel border border-line bg-raised px-5 py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0 gap-0.5">
          <h2 className="font-semibold text-lead [overflow-wrap:anywhere]">
            <a href={`/admin/applications/${encodeURIComponent(application)}`}>{name}</a>
          </h2>
          <p className="text-muted text-small [overflow-wrap:anywhere]">
            {client === application ? client : fill(words.key, { key: client })}
            {' · '}
            {fill(words.granted, { count: String(granted) })}
          </p>
        </div>
        {mayClean && (
          <a
            href={withQuery('/admin/reports/clean-up', { client, days })}
            aria-label={fill(words.cleanUpOf, { name: client === application ? name : client })}
            className="inline-flex min-h-9 items-center rounded-control border border-edge px-4 font-semibold text-small hover:border-ink"
          >
            {words.cleanUp}
          </a>
        )}
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <Scopes title={words.neverAsked} scopes={neverAsked} />
        <Refused client={client} refused={alwaysRefused} />
      </div>
    </li>
  )
}

const SCOPES_SHOWN = 12

function Scopes({ title, scopes }: { title: string; scopes: readonly string[] }) {
  if (scopes.length === 0) return null
  const more = scopes.slice(SCOPES_SHOWN)
  return (
    <div className="grid content-start gap-1.5">
      <h3 className="font-semibold text-small">
        {title} ({scopes.length})
      </h3>
      <Chips scopes={scopes.slice(0, SCOPES_SHOWN)} />
      {more.length > 0 && (
        <details>
          <summary className="min-h-7 cursor-pointer content-center text-link text-small">
            +{more.length}
          </summary>
          <Chips scopes={more} />
        </details>
      )}
    </div>
  )
}

function Chips({ scopes }: { scopes: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-2 gap-y-1">
      {scopes.map((scope) => (
        <li key={scope}>
          <code className="code [overflow-wrap:anywhere]">{scope}</code>
        </li>
      ))}
    </ul>
  )
}

type RefusedProps = { client: string; refused: LeastPrivilegeLine['alwaysRefused'] }

async function Refused({ client, refused }: RefusedProps) {
  const { reports: words } = (await currentMessages()).admin.access
  if (refused.length === 0) return null
  return (
    <div className="grid content-start gap-1.5">
      <h3 className="font-semibold text-small">
        {words.alwaysRefused} ({refused.length})
      </h3>
      <ul className="grid gap-1">
        {refused.slice(0, SCOPES_SHOWN).map(({ scope, times }) => (
          <li key={scope} className="flex flex-wrap items-center gap-x-3">
            <span className="[overflow-wrap:anywhere]">
              {fill(words.times, { scope, times: String(times) })}
            </span>
            <a
              href={withQuery('/admin/simulator', { client, scope })}
              aria-label={`${words.simulate} ${scope}`}
              className="inline-flex min-h-7 items-center text-link text-small"
            >
              {words.simulate}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
