import type { ReactNode } from 'react'
import { type AdminApi, withQuery } from '@/lib/admin/api'
import type { RoleWire } from '@/lib/api/permissions/roles'
import { getSpace } from '@/lib/api/permissions/spaces'
import { currentMessages } from '@/lib/browser/locale'
import { AdminFrame } from '../../_ui/frame'
import { Tabs, tabsAt } from '../../_ui/tabs'

type Props = {
  api: AdminApi
  role: RoleWire
  tab: '' | '/permissions' | '/members' | '/effective'
  action?: ReactNode
  done?: unknown
  children: ReactNode
}

/** One role and its parts. */
export async function RoleFrame({ api, role, tab, action, done, children }: Props) {
  const { rolePages: words } = (await currentMessages()).admin
  const space = await api.get(getSpace, { params: { space: role.space } })
  const at = `/admin/roles/${role.id}`
  const tabs = tabsAt<Props['tab']>(at, tab, [
    { part: '', label: words.overviewTab },
    { part: '/permissions', label: words.permissionsTab },
    { part: '/members', label: words.membersTab, open: api.may('assignments:read') },
    { part: '/effective', label: words.effectiveTab },
  ])
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={role.name}
      above={{
        href: withQuery('/admin/roles', { space: space.key }),
        label: `${words.title} · ${space.name}`,
      }}
      action={action}
      done={done}
    >
      <Tabs label={words.tabs} tabs={tabs} />
      {children}
    </AdminFrame>
  )
}
