import type { ReactNode } from 'react'
import type { AdminApi } from '@/lib/admin/api'
import { listResourceGrants } from '@/lib/api/permissions/resource-grants'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import { currentMessages } from '@/lib/browser/locale'
import { AdminFrame } from '../../_ui/frame'
import { Tabs, tabsAt } from '../../_ui/tabs'

type Props = {
  api: AdminApi
  resource: ResourceWire
  tab: '' | '/quick-start' | '/holders' | '/applications' | '/requests' | '/settings'
  action?: ReactNode
  done?: unknown
  children: ReactNode
}

/** Those who may give its items; the API says who they are. */
async function governs(api: AdminApi, { id }: ResourceWire): Promise<boolean> {
  if (!api.may('applications:read')) return false
  const found = await api.find(listResourceGrants, { params: { id }, query: { limit: 1 } })
  return found !== null
}

/** One API and its parts. */
export async function ApiFrame({ api, resource, tab, action, done, children }: Props) {
  const { apis: words, requestRules } = (await currentMessages()).admin
  const governed = await governs(api, resource)
  const at = `/admin/apis/${resource.id}`
  const tabs = tabsAt<Props['tab']>(at, tab, [
    { part: '', label: words.itemsTab },
    { part: '/quick-start', label: words.quickStartTab },
    { part: '/holders', label: words.holdersTab, open: api.may('permissions:explain') },
    { part: '/applications', label: words.applicationsTab, open: governed },
    { part: '/requests', label: requestRules.tab, open: governed },
    { part: '/settings', label: words.settingsTab },
  ])
  return (
    <AdminFrame
      api={api}
      page="/admin/apis"
      title={resource.name}
      above={{ href: '/admin/apis', label: words.title }}
      action={action}
      done={done}
    >
      <Tabs label={words.tabs} tabs={tabs} />
      {children}
    </AdminFrame>
  )
}
