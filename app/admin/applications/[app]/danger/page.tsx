import type { Metadata } from 'next'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { DangerZone } from '../../../_ui/danger'
import { AdminForm, TextInput } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { deleteApplication, setEnabled } from '../../actions'
import { AppFrame, type AppPageProps, readApp, tabTitle } from '../../app-frame'

export function generateMetadata(): Promise<Metadata> {
  return tabTitle('danger')
}

export default async function DangerPage({ params, searchParams }: AppPageProps) {
  const api = await adminPage('/admin/applications/[app]/danger')
  const { body: app, version } = await readApp(api, (await params).app)
  const { done } = await searchParams
  const { applications, form } = (await currentMessages()).admin
  const { danger: words } = applications
  const hidden = { id: app.id, version: version ?? '', name: app.name }
  const common = await formWords('save')
  return (
    <AppFrame api={api} app={app} tab="danger" done={done}>
      {app.enabled ? (
        <Section title={words.disableTitle} text={words.disable}>
          <AdminForm
            action={setEnabled}
            words={{ ...common, submit: words.disableDo, busy: words.disabling }}
            hidden={{ ...hidden, enabled: 'no' }}
          />
        </Section>
      ) : (
        <Section title={words.enableTitle} text={words.enable}>
          <AdminForm
            action={setEnabled}
            words={{ ...common, submit: words.enableDo, busy: words.enabling }}
            hidden={{ ...hidden, enabled: 'yes' }}
          />
        </Section>
      )}
      <DangerZone title={words.deleteTitle} summary={words.deleteSummary} text={words.delete}>
        <AdminForm action={deleteApplication} words={await formWords('delete')} hidden={hidden}>
          <TextInput name="typed" label={fill(form.typeName, { name: app.name })} />
        </AdminForm>
      </DangerZone>
    </AppFrame>
  )
}
