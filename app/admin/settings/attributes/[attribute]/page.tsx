import { notFound } from 'next/navigation'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { DangerZone } from '../../../_ui/danger'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { removeAttribute, saveAttribute } from '../actions'
import { DefinitionFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.tabs.attributes)

export default async function AttributePage({ params }: PageProps<'attribute'>) {
  const api = await adminPage('/admin/settings/attributes/[attribute]')
  const { attribute: key } = await params
  const { attributes: words, tabs } = (await currentMessages()).admin.settings
  const { body, version } = await api.read(getSettings, {})
  const attribute = body.userAttributes.find((one) => one.key === key)
  if (!attribute) notFound()
  const hidden = { version: version ?? '', known: key }
  const mayChange = api.may('settings:write')
  return (
    <AdminFrame
      api={api}
      page="/admin/settings"
      title={attribute.name}
      intro={<code className="code">{key}</code>}
      above={{ href: '/admin/settings/attributes', label: tabs.attributes }}
    >
      <div className="grid max-w-[46rem] gap-7">
        <AdminForm
          action={saveAttribute}
          words={await formWords('save')}
          hidden={hidden}
          readOnly={!mayChange}
        >
          <DefinitionFields attribute={attribute} />
        </AdminForm>
        {mayChange && (
          <DangerZone title={words.remove} summary={words.remove} text={words.removeText}>
            <AdminForm action={removeAttribute} words={await formWords('delete')} hidden={hidden} />
          </DangerZone>
        )}
      </div>
    </AdminFrame>
  )
}
