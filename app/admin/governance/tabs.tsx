import type { AdminApi } from '@/lib/admin/api'
import { ADMIN_PAGES } from '@/lib/admin/pages'
import { currentMessages } from '@/lib/browser/locale'
import { Tabs } from '../_ui/tabs'

/** What belongs to governance. Some pages stand below `/admin/reports`, where they always were. */
const PAGES = {
  home: '/admin/governance',
  requests: '/admin/governance/requests',
  rules: '/admin/governance/rules',
  reviews: '/admin/reports/reviews',
  least: '/admin/reports',
  replay: '/admin/reports/replay',
  assertions: '/admin/reports/assertions',
} as const

type Part = keyof typeof PAGES

export async function GovernanceTabs({ api, at }: { api: AdminApi; at: Part }) {
  const { governance: words } = (await currentMessages()).admin
  const parts = (Object.keys(PAGES) as Part[]).filter((part) => api.may(ADMIN_PAGES[PAGES[part]]))
  const tabs = parts.map((part) => ({
    href: PAGES[part],
    label: words.parts[part],
    current: part === at,
  }))
  return <Tabs label={words.tabs} tabs={tabs} />
}
