import type { ReactNode } from 'react'
import { mayImpersonate } from '@/lib/access/impersonation'
import type { AdminApi } from '@/lib/admin/api'
import type { UserOverview } from '@/lib/api/users/user-overview'
import type { UserWire } from '@/lib/api/users/users'
import { currentMessages, currentSettings } from '@/lib/browser/locale'
import { EnabledBadge } from '../../_ui/enabled'
import { AdminFrame } from '../../_ui/frame'
import { StateBadge } from '../../_ui/state-badge'
import { Tabs, tabsAt } from '../../_ui/tabs'

type UserTab = '' | '/edit' | '/access' | '/permissions'

type Props = {
  api: AdminApi
  user: UserWire
  /** Where it was read. */
  state?: UserOverview['state']
  tab: UserTab
  done: unknown
  children: ReactNode
}

const TONES = {
  enabled: 'good',
  invited: 'quiet',
  no_way_in: 'warn',
  leaving: 'warn',
  disabled: 'bad',
} as const

/** The pages of one user. */
export async function UserFrame({ api, user, state, tab, done, children }: Props) {
  const { admin } = await currentMessages()
  const { users: words } = admin
  const { security } = await currentSettings()
  const { adminRole } = api.session.user
  const isOpen = security.impersonation !== 'off' && mayImpersonate(security, adminRole)
  const tabs = tabsAt<UserTab>(`/admin/users/${user.id}`, tab, [
    { part: '', label: words.overview.tab },
    { part: '/edit', label: words.profileTab },
    { part: '/access', label: words.accessTab },
    { part: '/permissions', label: words.permissionsTab, open: api.may('assignments:read') },
  ])
  return (
    <AdminFrame
      api={api}
      page="/admin/users"
      title={user.name ?? user.email ?? user.username ?? words.noName}
      above={{ href: '/admin/users', label: words.title }}
      done={done}
      intro={
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {state && <StateBadge tone={TONES[state]}>{words.states[state]}</StateBadge>}
          {!state && !user.enabled && <EnabledBadge enabled={false} />}
          {user.adminRole && <StateBadge tone="quiet">{admin.roles[user.adminRole]}</StateBadge>}
          <code className="code">{user.id}</code>
          {isOpen && (
            <a href={`/admin/users/${user.id}/impersonation`} className="text-link">
              {words.impersonation.link}
            </a>
          )}
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
