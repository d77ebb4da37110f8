import type { ReactNode } from 'react'
import type { AdminApi } from '@/lib/admin/api'
import type { UserWire } from '@/lib/api/routes/users'
import { currentMessages } from '@/lib/locale'
import { AdminFrame } from '../../_ui/frame'
import { StateBadge } from '../../_ui/state-badge'
import { Tabs } from '../../_ui/tabs'

export type UserTab = 'profile' | 'access' | 'permissions'

export type UserPageProps = {
  params: Promise<{ user: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type Props = { api: AdminApi; user: UserWire; tab: UserTab; done: unknown; children: ReactNode }

/** The pages of one user. */
export async function UserFrame({ api, user, tab, done, children }: Props) {
  const { admin } = await currentMessages()
  const { users: words } = admin
  const base = `/admin/users/${user.id}`
  const tabs = [
    { href: base, label: words.profileTab, current: tab === 'profile' },
    { href: `${base}/access`, label: words.accessTab, current: tab === 'access' },
    { href: `${base}/permissions`, label: words.permissionsTab, current: tab === 'permissions' },
  ]
  return (
    <AdminFrame
      api={api}
      page="/admin/users"
      title={user.name ?? user.email ?? user.username ?? words.noName}
      above={{ href: '/admin/users', label: words.title }}
      done={done}
      intro={
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <StateBadge tone={user.enabled ? 'good' : 'bad'}>
            {user.enabled ? admin.enabled : admin.disabled}
          </StateBadge>
          {user.adminRole && <StateBadge tone="quiet">{admin.roles[user.adminRole]}</StateBadge>}
          <code className="code">{user.id}</code>
          {api.may('audit:read') && (
            <a href={`/admin/audit?targetId=${user.id}`} className="text-link">
              {words.history}
            </a>
          )}
        </p>
      }
    >
      <Tabs label={words.tabs} tabs={tabs} />
      {children}
    </AdminFrame>
  )
}
