import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { Deletion } from '../../../_ui/danger'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { deleteApplication, setEnabled } from '../../actions'
import { AppFrame, readApp, tabTitle } from '../../app-frame'

export const generateMetadata = tabTitle('danger')

export default async function DangerPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/danger')
  const { body: app, version } = await readApp(api, (await params).app)
  const { done } = await searchParams
  const { danger: words } = (await currentMessages()).admin.applications
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
      <Deletion
        action={deleteApplication}
        words={{
          dangerTitle: words.deleteTitle,
          dangerSummary: words.deleteSummary,
          danger: words.delete,
        }}
        name={app.name}
        hidden={hidden}
      />
    </AppFrame>
  )
}
