import { LinkButton } from '@/app/_ui/link-button'
import { adminPage, withQuery } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { listPermissions, type PermissionWire } from '@/lib/api/permissions/permissions'
import { getResourceById } from '@/lib/api/permissions/resource-overview'
import {
  currentMessages,
  currentTextPicker,
  pageTitle,
  type TextPicker,
} from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { Empty } from '../../_ui/empty'
import { StateBadge } from '../../_ui/state-badge'
import { type Column, DataTable } from '../../_ui/table'
import { ApiFrame } from './frame'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.title)

export default async function ApiPage({ params, searchParams }: PageProps<'api'>) {
  const api = await adminPage('/admin/apis/[api]')
  const { api: id } = await params
  const query = await searchParams
  const asked = askedOf(query)
  const { apis: words } = (await currentMessages()).admin
  const resource = await api.get(getResourceById, { params: { id } })
  const path = `/admin/apis/${resource.id}`
  const list = await api.get(listPermissions, {
    params: { space: resource.space },
    query: { count: true, ...asked, resource: resource.id },
  })
  const add = api.may('permissions:write') && (
    <LinkButton href={`${path}/item`}>{words.newItem}</LinkButton>
  )
  return (
    <ApiFrame api={api} resource={resource} tab="" done={query.done} action={add}>
      <DataTable
        path={path}
        asked={asked}
        params={query}
        list={list}
        columns={columnsOf(words, await currentTextPicker())}
        usualSort="key"
        keyOf={({ key }) => key}
        nameOf={({ key }) => key}
        {...(api.may('permissions:write') && {
          hrefOf: ({ key }: PermissionWire) => withQuery(`${path}/item`, { key }),
        })}
        empty={
          <Empty title={words.itemsEmptyTitle} text={words.itemsEmpty}>
            {add}
          </Empty>
        }
      />
    </ApiFrame>
  )
}

type Words = Messages['admin']['apis']

function columnsOf(words: Words, inWords: TextPicker): Column<PermissionWire>[] {
  return [
    {
      id: 'key',
      label: words.itemKey,
      sort: 'key',
      cell: ({ key }) => <code className="font-mono">{key}</code>,
    },
    {
      id: 'sentence',
      label: words.sentence,
      cell: ({ descriptions }) => inWords(descriptions) ?? '',
    },
    { id: 'traits', label: words.traits, cell: (item) => traitsOf(item, words) },
  ]
}

function traitsOf({ sensitive, userBound, needsRole }: PermissionWire, words: Words) {
  if (!sensitive && !userBound && !needsRole) return null
  return (
    <span className="flex flex-wrap gap-1.5">
      {sensitive && <StateBadge tone="bad">{words.sensitive}</StateBadge>}
      {userBound && <StateBadge tone="quiet">{words.userBound}</StateBadge>}
      {needsRole && <StateBadge tone="quiet">{words.needsRole}</StateBadge>}
    </span>
  )
}
