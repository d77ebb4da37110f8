import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { ADMIN_PAGES } from '@/lib/admin/pages'
import { listAccessRequests } from '@/lib/api/requests/routes'
import { listRequestRules } from '@/lib/api/requests/rule-routes'
import { listAccessReviews } from '@/lib/api/reviews/routes'
import { DAY_MS } from '@/lib/base/time'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import { numberFormat } from '@/lib/i18n/formats'
import { op } from '@/lib/op'
import { AdminFrame } from '../_ui/frame'
import { Lines, late, reviewLine, toDecide, toReview } from './lines'
import { GovernanceTabs } from './tabs'

export const generateMetadata = pageTitle(({ admin }) => admin.governance.title)

/** Of each kind, the most urgent ones. */
const SHOWN = 5
const SOON_MS = 3 * DAY_MS

/** What waits for the reader, what is overdue and what is open, as far as they may see it. */
export default async function GovernancePage() {
  const api = await adminPage('/admin/governance')
  const { governance: words } = (await currentMessages()).admin
  return (
    <AdminFrame api={api} page="/admin/governance" title={words.title} intro={words.intro}>
      <GovernanceTabs api={api} at="home" />
      <Yours api={api} />
      <Overdue api={api} />
      <Open api={api} />
      <More api={api} />
    </AdminFrame>
  )
}

async function Yours({ api }: { api: AdminApi }) {
  const { governance: words } = (await currentMessages()).admin
  const requests = await api.get(listAccessRequests, { query: { view: 'decide' } })
  const opened = await api.get(listAccessRequests, { query: { view: 'review' } })
  const reviews = await api.get(listAccessReviews, { query: { view: 'decide' } })
  const undecided = reviews.data.filter(({ counts }) => counts.mineUndecided > 0)
  const lines = [
    ...opened.data.slice(0, SHOWN).map(toReview),
    ...requests.data.slice(0, SHOWN).map(toDecide),
    ...undecided.slice(0, SHOWN).map((one) => reviewLine(one, { decides: true })),
  ]
  return <Lines title={words.yours} none={words.yoursNone} lines={await Promise.all(lines)} />
}

/** Reviews of others are seen by whoever started them, and by admins. */
function reviewsOf(api: AdminApi) {
  const view = api.may('assignments:read') ? 'all' : 'started'
  return { view, status: 'open', sort: 'deadline', limit: SHOWN } as const
}

async function Overdue({ api }: { api: AdminApi }) {
  const { governance: words } = (await currentMessages()).admin
  const until = (await op()).now().getTime() + SOON_MS
  const open = await api.get(listAccessReviews, { query: reviewsOf(api) })
  const soon = open.data.filter(
    ({ deadline, counts }) => Date.parse(deadline) < until && counts.undecided > 0,
  )
  const lines = [
    ...(await overdueRequests(api)),
    ...soon.map((one) => reviewLine(one, { decides: false })),
  ]
  return <Lines title={words.overdue} none={words.overdueNone} lines={await Promise.all(lines)} />
}

async function overdueRequests(api: AdminApi) {
  if (!api.may('assignments:read')) return []
  const query = { view: 'all', limit: SHOWN } as const
  const opened = await api.get(listAccessRequests, { query: { ...query, review: 'overdue' } })
  const pending = await api.get(listAccessRequests, { query: { ...query, overdue: 'true' } })
  return [...opened.data.map(toReview), ...pending.data.map(late)]
}

type Count = { label: string; count: number | undefined; href: string }

/** How many there are, each with the page that lists them. */
async function Open({ api }: { api: AdminApi }) {
  const { governance: words } = (await currentMessages()).admin
  const reviews = await api.get(listAccessReviews, {
    query: { ...reviewsOf(api), limit: 1, count: 'true' },
  })
  const rules = await api.get(listRequestRules, { query: { limit: 1, count: 'true' } })
  const counts: Count[] = [
    ...(await openRequests(api)),
    { label: words.openReviews, count: reviews.page.total, href: '/admin/reports/reviews' },
    { label: words.rules, count: rules.page.total, href: '/admin/governance/rules' },
  ]
  const format = numberFormat(await currentLocale())
  return (
    <Section title={words.open}>
      <dl className="grid gap-px overflow-hidden rounded-control border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
        {counts.map(({ label, count = 0, href }) => (
          <div key={href} className="grid grid-rows-[1fr_auto] gap-1 bg-raised px-4 py-3">
            <dt className="text-muted text-small">{label}</dt>
            <dd className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="display text-title">{format.format(count)}</span>
              <a
                href={href}
                aria-label={`${words.seeAll}: ${label}`}
                className="inline-flex min-h-9 items-center text-link text-small"
              >
                {words.seeAll}
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

async function openRequests(api: AdminApi): Promise<Count[]> {
  if (!api.may('assignments:read')) return []
  const { governance: words } = (await currentMessages()).admin
  const query = { view: 'all', limit: 1, count: 'true' } as const
  const pending = await api.get(listAccessRequests, { query: { ...query, status: 'pending' } })
  const opened = await api.get(listAccessRequests, { query: { ...query, review: 'open' } })
  const list = '/admin/governance/requests'
  return [
    { label: words.openRequests, count: pending.page.total, href: `${list}?show=pending` },
    { label: words.openEmergencies, count: opened.page.total, href: `${list}?show=unreviewed` },
  ]
}

const MORE = [
  ['least', '/admin/reports'],
  ['replay', '/admin/reports/replay'],
  ['assertions', '/admin/reports/assertions'],
] as const

async function More({ api }: { api: AdminApi }) {
  const { governance: words } = (await currentMessages()).admin
  return (
    <Section title={words.look} text={words.lookText}>
      <ul className="grid gap-4 sm:grid-cols-3">
        {MORE.filter(([, href]) => api.may(ADMIN_PAGES[href])).map(([part, href]) => (
          <li key={href} className="grid content-start gap-0.5">
            <a href={href} className="w-fit font-semibold text-link">
              {words.parts[part]}
            </a>
            <p className="text-muted text-small">{words[`${part}Text`]}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
