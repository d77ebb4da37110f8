import { currentMessages } from '@/lib/browser/locale'
import { Tabs } from '../_ui/tabs'

const PAGES = ['/admin/tools', '/admin/tools/token', '/admin/tools/playground'] as const

export async function ToolTabs({ at }: { at: (typeof PAGES)[number] }) {
  const { playground, tabs, test, token } = (await currentMessages()).admin.tools
  const labels = [test.tab, token.tab, playground.tab]
  return (
    <Tabs
      label={tabs}
      tabs={PAGES.map((href, index) => ({
        href,
        label: labels[index] ?? '',
        current: href === at,
      }))}
    />
  )
}
