import { QuietLink } from '@/app/_ui/quiet-link'
import { When } from '@/app/_ui/when'
import { StatusBadge } from '@/app/account/access/facts'
import { adminPage, withQuery } from '@/lib/admin/api'
import { listAccessRequests } from '@/lib/api/requests/routes'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { AdminFrame } from '../../_ui/frame'
import { Pages } from '../../_ui/pages'
import { Rows } from '../../_ui/rows'
import { GovernanceTabs } from '../tabs'

export const generateMetadata = pageTitle(({ admin }) => admin.governance.parts.requests)

const PATH = '/admin/governance/requests'
const AT_ONCE = 20

/** What can be shown, and how the list is asked for it. */
const SHOWN = {
  all: {},
  pending: { status: 'pending' },
  overdue: { overdue: 'true' },
  unreviewed: { review: 'open' },
} as const
type Shown = keyof typeof SHOWN

/** All requests for access, the newest first. */
export default async function RequestsPage({ searchParams }: PageProps) {
  const api = await adminPage(PATH)
  const { show, cursor } = await searchParams
  const shown = typeof show === 'string' && Object.hasOwn(SHOWN, show) ? (show as Shown) : 'all'
  const { admin, requests: texts } = await currentMessages()
  const { governance } = admin
  const { requests: words } = governance
  const { data, page } = await api.get(listAccessRequests, {
    query: {
      ...SHOWN[shown],
      view: 'all',
      sort: '-createdAt',
      limit: AT_ONCE,
      cursor: typeof cursor === 'string' ? cursor : undefined,
    },
  })
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={governance.parts.requests}
      intro={words.intro}
    >
      <GovernanceTabs api={api} at="requests" />
      <Choices shown={shown} />
      <Rows none={words.none}>
        {data.map((request) => ({
          key: request.id,
          title: request.user.name,
          facts: [
            [request.scope, ''],
            [texts.api, request.api?.name ?? request.scope],
            [texts.asked, <When key="when" at={new Date(request.createdAt)} />],
          ],
          action: (
            <span className="flex flex-wrap items-center gap-x-4">
              <StatusBadge request={request} />
              <QuietLink
                href={`/account/approvals/${request.id}`}
                name={`${governance.see}: ${request.user.name}, ${request.scope}`}
              >
                {governance.see}
              </QuietLink>
            </span>
          ),
        }))}
      </Rows>
      <Pages page={page} hrefOf={(at) => withQuery(PATH, { show: shown, cursor: at })} />
    </AdminFrame>
  )
}

async function Choices({ shown }: { shown: Shown }) {
  const { requests: words } = (await currentMessages()).admin.governance
  return (
    <nav aria-label={words.show}>
      <ul className="flex flex-wrap gap-2">
        {(Object.keys(SHOWN) as Shown[]).map((one) => (
          <li key={one}>
            <a
              href={withQuery(PATH, { show: one === 'all' ? undefined : one })}
              aria-current={one === shown ? 'true' : undefined}
              className="inline-flex min-h-9 items-center rounded-control border border-edge px-3 text-small hover:border-ink aria-[current]:border-accent aria-[current]:bg-wash aria-[current]:font-semibold"
            >
              {words[one]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
