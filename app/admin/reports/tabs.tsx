import type { AdminApi } from '@/lib/admin/api'
import { ADMIN_PAGES } from '@/lib/admin/pages'
import { currentMessages } from '@/lib/browser/locale'
import { Tabs } from '../_ui/tabs'

const PAGES = [
  '/admin/reports',
  '/admin/reports/reviews',
  '/admin/reports/replay',
  '/admin/reports/assertions',
] as const

export async function ReportTabs({ api, at }: { api: AdminApi; at: (typeof PAGES)[number] }) {
  const { reports: words } = (await currentMessages()).admin.access
  const labels = {
    '/admin/reports': words.least,
    '/admin/reports/reviews': words.reviews,
    '/admin/reports/replay': words.replay,
    '/admin/reports/assertions': words.assertions,
  }
  const tabs = PAGES.filter((path) => api.may(ADMIN_PAGES[path])).map((path) => ({
    href: path,
    label: labels[path],
    current: path === at,
  }))
  return <Tabs label={words.tabs} tabs={tabs} />
}
