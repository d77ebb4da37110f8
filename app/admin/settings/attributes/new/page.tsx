import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { saveAttribute } from '../actions'
import { DefinitionFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.attributes.new)

export default async function NewAttributePage() {
  const api = await adminPage('/admin/settings/attributes/new')
  const { attributes: words, tabs } = (await currentMessages()).admin.settings
  const { version } = await api.read(getSettings, {})
  return (
    <AdminFrame
      api={api}
      page="/admin/settings"
      title={words.new}
      intro={words.newText}
      above={{ href: '/admin/settings/attributes', label: tabs.attributes }}
    >
      <div className="max-w-[46rem]">
        <AdminForm
          action={saveAttribute}
          words={await formWords('create')}
          hidden={{ version: version ?? '' }}
        >
          <DefinitionFields />
        </AdminForm>
      </div>
    </AdminFrame>
  )
}
