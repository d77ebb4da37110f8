import { LinkButton } from '@/app/_ui/link-button'
import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { listWebhooks, type WebhookWire } from '@/lib/api/delivery/webhooks'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { Code, createdColumn, enabledColumn } from '../_ui/columns'
import { enabledFilter } from '../_ui/enabled'
import { ListPage } from '../_ui/list-page'
import type { Column } from '../_ui/table'

export const generateMetadata = pageTitle(({ admin }) => admin.webhooks.title)

export default async function WebhooksPage({ searchParams }: PageProps) {
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
    <ListPage
      api={api}
      page="/admin/webhooks"
      words={words}
      asked={asked}
      params={params}
      list={list}
      columns={columnsOf(admin)}
      usualSort="name"
      filters={[enabledFilter(words.state, admin)]}
      create={add}
      isCreateOnTop={list.data.length > 0}
    />
  )
}

function columnsOf(admin: Messages['admin']): Column<WebhookWire>[] {
  const { webhooks: words } = admin
  return [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    { id: 'url', label: words.url, cell: ({ url }) => <Code>{url}</Code> },
    { id: 'events', label: words.events, cell: ({ events }) => events.join(', ') },
    enabledColumn(words.state),
    createdColumn(words.created),
  ]
}
