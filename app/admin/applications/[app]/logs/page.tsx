import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { listAuditEvents } from '@/lib/api/records/audit'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { Empty } from '../../../_ui/empty'
import { DataTable } from '../../../_ui/table'
import { auditColumns } from '../../../audit/columns'
import { AppFrame, readApp, tabTitle } from '../../app-frame'

export const generateMetadata = tabTitle('logs')

/** The part of the audit log that is about this application. */
export default async function LogsPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/logs')
  const { body: app } = await readApp(api, (await params).app)
  const query = await searchParams
  const { cursor, limit } = askedOf(query)
  const asked = { ...(cursor && { cursor }), ...(limit && { limit }) }
  const messages = await currentMessages()
  const { applications } = messages.admin
  const { logs: words } = applications
  const list = await api.get(listAuditEvents, {
    query: { ...asked, applicationId: app.id, count: true, include: 'names' },
  })
  return (
    <AppFrame api={api} app={app} tab="logs" intro={words.intro}>
      <p>
        <a href={`/admin/audit?applicationId=${app.id}`} className="text-link">
          {words.all}
        </a>
      </p>
      <DataTable
        path={`/admin/applications/${app.id}/logs`}
        asked={asked}
        params={query}
        list={list}
        columns={auditColumns(messages, list.names ?? {}, (await currentClock()).zone)}
        keyOf={({ id }) => id}
        nameOf={({ event, seq }) => `${event} ${seq}`}
        hrefOf={({ id }) => `/admin/audit/${id}`}
        searchable={false}
        empty={<Empty title={words.emptyTitle} text={words.empty} />}
      />
    </AppFrame>
  )
}
