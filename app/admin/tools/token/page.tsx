import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { AdminFrame } from '../../_ui/frame'
import { ToolTabs } from '../tabs'
import { TokenInspector } from './inspector'

export const generateMetadata = pageTitle(({ admin }) => admin.tools.token.title)

export default async function TokenPage() {
  const api = await adminPage('/admin/tools/token')
  const { admin, common } = await currentMessages()
  const { token: words, intro } = admin.tools
  return (
    <AdminFrame api={api} page="/admin/tools" title={admin.pages['/admin/tools']} intro={intro}>
      <ToolTabs at="/admin/tools/token" />
      <Section title={words.title} text={words.text}>
        <TokenInspector words={words} problem={common.problem} clock={await currentClock()} />
      </Section>
    </AdminFrame>
  )
}
