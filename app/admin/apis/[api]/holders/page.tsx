import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { hasTerms } from '@/lib/admin/terms'
import {
  getResourceById,
  type HeldWire,
  listHolders,
} from '@/lib/api/permissions/resource-overview'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Empty } from '../../../_ui/empty'
import { type Column, DataTable } from '../../../_ui/table'
import { Terms } from '../../../_ui/terms'
import { ApiFrame } from '../frame'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.holdersTab)

export default async function HoldersPage({ params, searchParams }: PageProps<'api'>) {
  const api = await adminPage('/admin/apis/[api]/holders')
  const { api: id } = await params
  const query = await searchParams
  const asked = askedOf(query)
  const { apis: words } = (await currentMessages()).admin
  const resource = await api.get(getResourceById, { params: { id } })
  const list = await api.get(listHolders, {
    params: { id: resource.id },
    query: { count: true, ...asked },
  })
  return (
    <ApiFrame api={api} resource={resource} tab="/holders">
      <p className="text-muted">{words.holdersIntro}</p>
      <DataTable
        path={`/admin/apis/${resource.id}/holders`}
        asked={asked}
        params={query}
        list={list}
        columns={columnsOf(words)}
        usualSort="key"
        keyOf={({ permission }) => permission}
        nameOf={({ permission }) => permission}
        empty={<Empty title={words.itemsEmptyTitle} text={words.holdersEmpty} />}
      />
    </ApiFrame>
  )
}

type Words = Messages['admin']['apis']

function columnsOf(words: Words): Column<HeldWire>[] {
  return [
    {
      id: 'key',
      label: words.itemKey,
      sort: 'key',
      cell: ({ permission }) => <code className="font-mono">{permission}</code>,
    },
    {
      id: 'application',
      label: words.application,
      cell: (held) => <Holders held={held} type="application" words={words} />,
    },
    {
      id: 'role',
      label: words.role,
      cell: (held) => <Holders held={held} type="role" words={words} />,
    },
    {
      id: 'user',
      label: words.person,
      cell: (held) => <Holders held={held} type="user" words={words} />,
    },
  ]
}

const HOMES = {
  application: '/admin/applications',
  role: '/admin/roles',
  user: '/admin/users',
} as const

type HoldersProps = { held: HeldWire; type: keyof typeof HOMES; words: Words }

function Holders({ held: { permission, holders, total }, type, words }: HoldersProps) {
  const these = holders.filter((one) => one.type === type)
  if (these.length === 0) return <span className="text-muted text-small">{words.nobody}</span>
  return (
    <ul className="grid gap-1.5">
      {these.map((one) => (
        <li key={`${one.id} ${one.pattern} ${one.condition}`} className="grid">
          <a href={`${HOMES[type]}/${one.id}`} className="w-fit text-link">
            {one.name}
          </a>
          {one.pattern !== permission && (
            <span className="text-muted text-small">
              {fill(words.through, { pattern: one.pattern })}
            </span>
          )}
          {hasTerms(one) && <Terms terms={one} />}
        </li>
      ))}
      {type === 'role' && total > holders.length && (
        <li className="text-muted text-small">
          {fill(words.moreHolders, { count: String(total - holders.length) })}
        </li>
      )}
    </ul>
  )
}
