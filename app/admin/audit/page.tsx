import { Section } from '@/app/_ui/section'
import { type AdminApi, type ApiProblem, adminPage, withQuery } from '@/lib/admin/api'
import { foundIn, meantIn } from '@/lib/admin/choice'
import { askedOf, type ListQuery } from '@/lib/admin/list'
import { listAuditEvents } from '@/lib/api/records/audit'
import { listAuditViews } from '@/lib/api/records/audit-views'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { fromField, zoneAmong } from '@/lib/i18n/moments'
import { Empty } from '../_ui/empty'
import { AdminFrame } from '../_ui/frame'
import { Mistake } from '../_ui/mistake'
import { DataTable } from '../_ui/table'
import { auditColumns } from './columns'
import { FILTERS, Filters, type MeantFilters, NAMED_FILTERS } from './filters'
import { LiveTail } from './live-tail'
import { VerifyForm } from './verify-form'
import { Views } from './views'

export const generateMetadata = pageTitle(({ admin }) => admin.audit.title)

type Words = Messages['admin']['audit']

const PATH = '/admin/audit'

export default async function AuditPage({ searchParams }: PageProps) {
  const api = await adminPage(PATH)
  const params = await searchParams
  const { limit, cursor, ...rest } = askedOf(params, FILTERS)
  const clock = await currentClock()
  const typed = chosenIn(rest, zoneAmong(params.zone))
  const meant = await meantIn(api, NAMED_FILTERS, typed)
  const filters = { ...typed, ...idsOf(meant) }
  const asked = { ...filters, ...(cursor && { cursor }), ...(limit && { limit }) }
  const messages = await currentMessages()
  const { audit: words } = messages.admin
  const found = await api.send(listAuditEvents, {
    query: { ...asked, count: true, include: 'names' },
  })
  if (!found.ok) return <Misread api={api} meant={meant} asked={filters} problem={found.problem} />
  const { body: list } = found
  const { data: views } = await api.get(listAuditViews, {})
  const query = new URLSearchParams(filters).toString()
  return (
    <AdminFrame api={api} page={PATH} title={words.title} intro={words.intro} done={params.done}>
      <Filters asked={filters} meant={list.data.length > 0 ? certainIn(meant) : meant} />
      <Views views={views} query={query} />
      {cursor === undefined && (
        <LiveTail
          key={query}
          after={list.data[0]?.seq ?? '0'}
          query={query}
          here={withQuery(PATH, filters)}
          words={words.tail}
          clock={clock}
        />
      )}
      <DataTable
        path={PATH}
        asked={asked}
        params={params}
        list={list}
        columns={auditColumns(messages, list.names ?? {}, clock.zone)}
        keyOf={({ id }) => id}
        nameOf={({ event, seq }) => `${event} ${seq}`}
        hrefOf={({ id }) => `${PATH}/${id}`}
        searchable={false}
        exports={exportsOf(filters)}
        empty={<Nothing words={words} filtered={query !== ''} />}
      />
      <Section title={words.verify.title} text={words.verify.text}>
        <VerifyForm words={words.verify} locale={clock.locale} />
      </Section>
    </AdminFrame>
  )
}

function idsOf(meant: MeantFilters): Record<string, string> {
  const found = Object.entries(meant).map(([name, one]) => [name, foundIn(one)?.id ?? one.text])
  return Object.fromEntries(found)
}

/** What is gone has entries and no name any more: that is no mistake. */
function certainIn(meant: MeantFilters): MeantFilters {
  return Object.fromEntries(Object.entries(meant).filter(([, one]) => foundIn(one)))
}

type MisreadProps = { api: AdminApi; asked: ListQuery; meant: MeantFilters; problem: ApiProblem }

/** A filter that is none: said above the filters, which stay as they were typed. */
async function Misread({ api, asked, meant, problem }: MisreadProps) {
  const { audit: words } = (await currentMessages()).admin
  const { filters } = words
  const { zone } = await currentClock()
  const names = {
    ...Object.fromEntries(FILTERS.map((name) => [name, filters[name]])),
    from: fill(filters.from, { zone }),
    to: fill(filters.to, { zone }),
  }
  return (
    <AdminFrame api={api} page={PATH} title={words.title} intro={words.intro}>
      <Mistake problem={problem} names={names} />
      <Filters asked={asked} meant={certainIn(meant)} />
    </AdminFrame>
  )
}

/** In the order of the list, so that one choice is one address. Times in it are UTC. */
function chosenIn(asked: ListQuery, zone: string): Record<string, string> {
  const inUtc = (value: string) => fromField(value, zone)?.toISOString() ?? value
  const chosen = FILTERS.flatMap((name) => {
    const value = asked[name]
    return value === undefined ? [] : [[name, value.replace(LOCAL_TIME, inUtc)] as const]
  })
  return Object.fromEntries(chosen)
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

function exportsOf(filters: Record<string, string>) {
  const href = (format: string) =>
    `/api/v1/audit-events:export?${new URLSearchParams({ ...filters, format })}`
  return [
    ['CSV', href('csv')],
    ['NDJSON', href('ndjson')],
  ] as const
}

function Nothing({ words, filtered }: { words: Words; filtered: boolean }) {
  return filtered ? (
    <Empty title={words.noneTitle} text={words.none}>
      <a href={PATH} className="text-link">
        {words.filters.clear}
      </a>
    </Empty>
  ) : (
    <Empty title={words.emptyTitle} text={words.empty} />
  )
}
