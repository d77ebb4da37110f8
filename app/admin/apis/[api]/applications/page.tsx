import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { type HoldingWire, listResourceGrants } from '@/lib/api/permissions/resource-grants'
import { getResourceById } from '@/lib/api/permissions/resource-overview'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { Choose } from '../../../_ui/choose'
import { Empty } from '../../../_ui/empty'
import { AdminForm } from '../../../_ui/form'
import { type Column, DataTable } from '../../../_ui/table'
import { ApiFrame } from '../frame'
import { openApplication } from './actions'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.applicationsTab)

export default async function ApiApplicationsPage({ params, searchParams }: PageProps<'api'>) {
  const api = await adminPage('/admin/apis/[api]/applications')
  const { api: id } = await params
  const query = await searchParams
  const asked = askedOf(query)
  const { apis: words } = (await currentMessages()).admin
  const resource = await api.get(getResourceById, { params: { id } })
  const list = await api.get(listResourceGrants, {
    params: { id: resource.id },
    query: { count: true, ...asked },
  })
  return (
    <ApiFrame api={api} resource={resource} tab="/applications" done={query.done}>
      <p className="text-muted">{words.applicationsIntro}</p>
      <DataTable
        path={`/admin/apis/${resource.id}/applications`}
        asked={asked}
        params={query}
        list={list}
        columns={columnsOf(words, resource)}
        usualSort="name"
        keyOf={({ application }) => application.id}
        nameOf={({ application }) => application.name}
        empty={<Empty title={words.applicationsEmptyTitle} text={words.applicationsEmpty} />}
      />
      {api.may('applications:write') && <Give resource={resource} />}
    </ApiFrame>
  )
}

async function Give({ resource }: { resource: ResourceWire }) {
  const { admin, common } = await currentMessages()
  const { apis: words, form } = admin
  const texts = { submit: words.give, busy: form.saving, problem: common.problem }
  return (
    <Section title={words.giveTitle}>
      <div className="max-w-[38rem]">
        <AdminForm action={openApplication} words={texts} hidden={{ api: resource.id }}>
          <Choose name="client" kind="application" label={words.client} hint={words.clientHint} />
        </AdminForm>
      </div>
    </Section>
  )
}

type Words = Messages['admin']['apis']

function columnsOf(words: Words, { id }: ResourceWire): Column<HoldingWire>[] {
  return [
    {
      id: 'name',
      label: words.application,
      sort: 'name',
      cell: ({ application }) => (
        <span className="grid">
          <a
            href={`/admin/apis/${id}/applications/${encodeURIComponent(application.id)}`}
            className="w-fit text-link"
          >
            {application.name}
          </a>
          <code className="font-mono text-muted text-small">{application.id}</code>
        </span>
      ),
    },
    { id: 'owner', label: words.belongsTo, cell: ({ application }) => application.owner ?? '–' },
    {
      id: 'holds',
      label: words.holds,
      cell: ({ grants }) => (
        <span className="flex flex-wrap gap-2">
          {grants.map((grant) => (
            <code key={grant.id} className="code">
              {grant.pattern}
            </code>
          ))}
        </span>
      ),
    },
  ]
}
