import type { ReactNode } from 'react'
import type { AdminApi } from '@/lib/admin/api'
import type { ResourceWire } from '@/lib/api/routes/resources'
import { currentMessages } from '@/lib/locale'
import { AdminFrame } from '../../_ui/frame'
import { Tabs } from '../../_ui/tabs'

type Props = {
  api: AdminApi
  resource: ResourceWire
  tab: '' | '/holders' | '/settings'
  action?: ReactNode
  done?: unknown
  children: ReactNode
}

/** One API and its parts. */
export async function ApiFrame({ api, resource, tab, action, done, children }: Props) {
  const { apis: words } = (await currentMessages()).admin
  const at = `/admin/apis/${resource.id}`
  const tabs = [
    { part: '', label: words.itemsTab, open: true },
    { part: '/holders', label: words.holdersTab, open: api.may('permissions:explain') },
    { part: '/settings', label: words.settingsTab, open: true },
  ].filter(({ open }) => open)
  return (
    <AdminFrame
      api={api}
      page="/admin/apis"
      title={resource.name}
      above={{ href: '/admin/apis', label: words.title }}
      action={action}
      done={done}
    >
      <Tabs
        label={words.tabs}
        tabs={tabs.map(({ part, label }) => ({
          href: `${at}${part}`,
          label,
          current: part === tab,
        }))}
      />
      {children}
    </AdminFrame>
  )
}
