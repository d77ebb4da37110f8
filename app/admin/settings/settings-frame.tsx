import type { ReactNode } from 'react'
import type { AdminApi } from '@/lib/admin/api'
import { ADMIN_PAGES } from '@/lib/admin/pages'
import { currentMessages } from '@/lib/browser/locale'
import { AdminFrame } from '../_ui/frame'
import { Tabs } from '../_ui/tabs'

const PARTS = {
  security: '/admin/settings',
  providers: '/admin/settings/providers',
  mail: '/admin/settings/mail',
  outbox: '/admin/settings/outbox',
  registration: '/admin/settings/registration',
  branding: '/admin/settings/branding',
  attributes: '/admin/settings/attributes',
  configuration: '/admin/settings/configuration',
  health: '/admin/settings/health',
} as const

type Props = {
  api: AdminApi
  part: keyof typeof PARTS
  done?: unknown
  action?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** The parts of the settings, one page each. */
export async function SettingsFrame({ api, part, done, action, wide, children }: Props) {
  const { settings: words } = (await currentMessages()).admin
  const open = Object.entries(PARTS).filter(([, href]) => api.may(ADMIN_PAGES[href]))
  const tabs = open.map(([name, href]) => ({
    href,
    label: words.tabs[name as keyof typeof PARTS],
    current: name === part,
  }))
  return (
    <AdminFrame
      api={api}
      page="/admin/settings"
      title={words.title}
      intro={words.intro}
      done={done}
      action={action}
    >
      <Tabs label={words.parts} tabs={tabs} />
      <div className={`grid gap-7 ${wide ? '' : 'max-w-[46rem]'}`}>{children}</div>
    </AdminFrame>
  )
}
