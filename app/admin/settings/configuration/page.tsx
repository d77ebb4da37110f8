import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { SettingsFrame } from '../settings-frame'
import { ConfigurationForm } from './form'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.tabs.configuration)

export default async function ConfigurationPage() {
  const api = await adminPage('/admin/settings/configuration')
  const { admin, common } = await currentMessages()
  const { configuration: words } = admin
  return (
    <SettingsFrame api={api} part="configuration">
      <Section title={words.title} text={words.text}>
        <ConfigurationForm words={words} problem={common.problem} />
      </Section>
    </SettingsFrame>
  )
}
