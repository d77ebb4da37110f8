import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getAccessKey } from '@/lib/api/applications/access-keys'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { DangerZone } from '../../../../_ui/danger'
import { AdminForm, Check } from '../../../../_ui/form'
import { formWords } from '../../../../_ui/form-words'
import { AppFrame, readApp, tabTitle } from '../../../app-frame'
import { deleteKey, saveKey } from '../actions'
import { KeyFields } from '../key-fields'
import { LastUse } from '../states'

export const generateMetadata = tabTitle('credentials')

export default async function AccessKeyPage({ params, searchParams }: PageProps<'app' | 'key'>) {
  const api = await adminPage('/admin/applications/[app]/credentials/[key]')
  const asked = await params
  const { done } = await searchParams
  const { body: app } = await readApp(api, asked.app)
  const { body: key, version } = await api.read(getAccessKey, {
    params: { id: app.id, key: asked.key },
  })
  const { applications, form } = (await currentMessages()).admin
  const { credentials: words } = applications
  const hidden = { id: app.id, key: key.accessKey, version: version ?? '' }
  const mayWrite = api.may('applications:write')
  return (
    <AppFrame api={api} app={app} tab="credentials" done={done}>
      <Section title={fill(words.editKey, { name: key.name })}>
        <p className="flex flex-wrap gap-x-5 text-muted text-small">
          <code className="code">{key.accessKey}</code>
          <LastUse {...key} />
        </p>
        <div className="max-w-[42rem]">
          <AdminForm
            action={saveKey}
            words={await formWords('save')}
            hidden={hidden}
            readOnly={!mayWrite}
            aside={
              <QuietLink href={`/admin/applications/${encodeURIComponent(app.id)}/credentials`}>
                {form.cancel}
              </QuietLink>
            }
          >
            <KeyFields words={words} of={key} />
            <Check name="enabled" label={words.keyEnabled} checked={key.enabled} />
          </AdminForm>
        </div>
      </Section>
      {mayWrite && (
        <DangerZone title={words.deleteKey} summary={words.deleteKeyDo} text={words.deleteKeyText}>
          <AdminForm action={deleteKey} words={await formWords('delete')} hidden={hidden} />
        </DangerZone>
      )}
    </AppFrame>
  )
}
