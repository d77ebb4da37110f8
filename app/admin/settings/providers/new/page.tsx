import { QuietLink } from '@/app/_ui/quiet-link'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { isConfirmedNow } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { saveProvider } from '../../actions'
import { ConfirmFirst } from '../../confirm-first'
import { ProviderFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.providers.newTitle)

export default async function NewProviderPage() {
  const api = await adminPage('/admin/settings/providers/new')
  const { settings, form } = (await currentMessages()).admin
  const { providers: words, tabs } = settings
  const { version } = await api.read(getSettings, {})
  const { origin } = await op()
  return (
    <AdminFrame
      api={api}
      page="/admin/settings"
      title={words.newTitle}
      intro={
        <p>
          {words.callbackHint} <code className="code">{`${origin}/api/auth/callback/…`}</code>
        </p>
      }
      above={{ href: '/admin/settings/providers', label: tabs.providers }}
    >
      <div className="max-w-[38rem]">
        {(await isConfirmedNow(api.session)) ? (
          <AdminForm
            action={saveProvider}
            words={await formWords('create')}
            hidden={{ version: version ?? '' }}
            aside={<QuietLink href="/admin/settings/providers">{form.cancel}</QuietLink>}
          >
            <ProviderFields words={words} />
          </AdminForm>
        ) : (
          <ConfirmFirst />
        )}
      </div>
    </AdminFrame>
  )
}
