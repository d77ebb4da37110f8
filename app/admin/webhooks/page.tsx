import type { Metadata } from 'next'
import { LinkButton } from '@/app/_ui/link-button'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { askedOf, type SearchParams } from '@/lib/admin/list'
import { listWebhooks, type WebhookWire } from '@/lib/api/routes/webhooks'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { Empty } from '../_ui/empty'
import { EnabledBadge, enabledFilter } from '../_ui/enabled'
import { AdminFrame } from '../_ui/frame'
import { type Column, DataTable } from '../_ui/table'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.webhooks.title }
}

type Props = { searchParams: Promise<SearchParams> }

export default async function WebhooksPage({ searchParams }: Props) {
  const api = await adminPage('/admin/webhooks')
  const params = await searchParams
  const asked = askedOf(params, ['enabled'])
  const { admin } = await currentMessages()
  const { webhooks: words } = admin
  const list = await api.get(listWebhooks, { query: { count: true, ...asked } })
  const add = api.may('webhooks:write') && (
    <LinkButton href="/admin/webhooks/new">{words.new}</LinkButton>
  )
  return (
    <AdminFrame
      api={api}
      page="/admin/webhooks"
      title={words.title}
      intro={words.intro}
      done={params.done}
      action={list.data.length > 0 && add}
    >
      <DataTable
        path="/admin/webhooks"
        asked={asked}
        params={params}
        list={list}
        columns={columnsOf(admin)}
        usualSort="name"
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/admin/webhooks/${id}`}
        filters={[enabledFilter(words.state, admin)]}
        empty={
          <Empty title={words.emptyTitle} text={words.empty}>
            {add}
          </Empty>
        }
      />
    </AdminFrame>
  )
}

function columnsOf(admin: Messages['admin']): Column<WebhookWire>[] {
  const { webhooks: words } = admin
  return [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    { id: 'url', label: words.url, cell: ({ url }) => <code className="code">{url}</code> },
    { id: 'events', label: words.events, cell: ({ events }) => events.join(', ') },
    {
      id: 'state',
      label: words.state,
      cell: ({ enabled }) => <EnabledBadge enabled={enabled} />,
    },
    {
      id: 'created',
      label: words.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When at={new Date(createdAt)} />,
    },
  ]
}
