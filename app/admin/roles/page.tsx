import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage, withQuery } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { roleGraph } from '@/lib/admin/role-graph'
import { listSpaces } from '@/lib/admin/spaces'
import { listRoles, ROLE_TYPES, type RoleWire } from '@/lib/api/permissions/roles'
import type { SpaceWire } from '@/lib/api/permissions/spaces'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps, SearchParams } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { createdColumn, Mono } from '../_ui/columns'
import { Empty } from '../_ui/empty'
import { AdminFrame } from '../_ui/frame'
import { type Column, DataTable } from '../_ui/table'
import { Graph } from './graph'
import { SpaceSwitch } from './space-switch'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.title)

export default async function RolesPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/roles')
  const params = await searchParams
  const spaces = await listSpaces(api)
  const space = spaces.find(({ id, key }) => [id, key].includes(String(params.space))) ?? spaces[0]
  const { rolePages: words } = (await currentMessages()).admin
  const mayWrite = api.may('roles:write')
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={words.title}
      intro={words.intro}
      done={params.done}
      action={space && mayWrite && <NewRole space={space} />}
    >
      {space ? (
        <>
          <SpaceSwitch spaces={spaces} current={space} />
          <RolesOf api={api} space={space} params={params} />
        </>
      ) : (
        <NoSpace mayCreate={api.may('spaces:write')} />
      )}
    </AdminFrame>
  )
}

async function NewRole({ space }: { space: SpaceWire }) {
  const { rolePages: words } = (await currentMessages()).admin
  return (
    <LinkButton href={withQuery('/admin/roles/new', { space: space.key })}>{words.new}</LinkButton>
  )
}

async function NoSpace({ mayCreate }: { mayCreate: boolean }) {
  const { rolePages: words, spaces } = (await currentMessages()).admin
  return (
    <Empty title={words.noSpaceTitle} text={words.noSpace}>
      {mayCreate && <LinkButton href="/admin/roles/spaces/new">{spaces.new}</LinkButton>}
    </Empty>
  )
}

type RolesProps = { api: AdminApi; space: SpaceWire; params: SearchParams }

async function RolesOf({ api, space, params }: RolesProps) {
  const { rolePages: words } = (await currentMessages()).admin
  const asked = askedOf(params, ['type'])
  const list = await api.get(listRoles, {
    params: { space: space.id },
    query: { count: true, ...asked },
  })
  return (
    <>
      <Hierarchy api={api} space={space} />
      <DataTable
        path="/admin/roles"
        asked={{ ...asked, space: space.key }}
        params={params}
        list={list}
        columns={columnsOf(words)}
        usualSort="key"
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/admin/roles/${id}`}
        filters={[{ name: 'type', label: words.type, options: choices(ROLE_TYPES, words.types) }]}
        empty={
          <Empty title={words.emptyTitle} text={words.empty}>
            {api.may('roles:write') && <NewRole space={space} />}
          </Empty>
        }
      />
    </>
  )
}

const MAX_DRAWN = 60

async function Hierarchy({ api, space }: Omit<RolesProps, 'params'>) {
  const { rolePages: words } = (await currentMessages()).admin
  const { data } = await api.get(listRoles, { params: { space: space.id }, query: { limit: 200 } })
  const graph = roleGraph(data)
  if (graph.nodes.length === 0) return null
  const fits = graph.nodes.length <= MAX_DRAWN
  return (
    <Section title={words.graphTitle} text={fits ? words.graphText : words.graphTooMany}>
      {fits && <Graph graph={graph} />}
    </Section>
  )
}

function columnsOf(words: Messages['admin']['rolePages']): Column<RoleWire>[] {
  return [
    { id: 'name', label: words.name, sort: 'name', cell: ({ name }) => name },
    { id: 'key', label: words.key, sort: 'key', cell: ({ key }) => <Mono>{key}</Mono> },
    { id: 'type', label: words.type, cell: ({ type }) => words.types[type] },
    { id: 'parents', label: words.parents, cell: ({ parents }) => parents.join(', ') },
    { id: 'description', label: words.description, cell: ({ description }) => description },
    createdColumn(words.created),
  ]
}
