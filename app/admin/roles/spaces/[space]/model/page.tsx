import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { API_BASE } from '@/lib/api/http/operation'
import { exportModel } from '@/lib/api/permissions/model-routes'
import { getSpace } from '@/lib/api/permissions/spaces'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, TextArea } from '../../../../_ui/form'
import { formWords } from '../../../../_ui/form-words'
import { AdminFrame } from '../../../../_ui/frame'
import { JsonBlock } from '../../../../_ui/json-block'
import { replaceModel } from '../../actions'
import { DiffPreview } from './diff-preview'

export const generateMetadata = pageTitle(({ admin }) => admin.spaces.modelLink)

export default async function ModelPage({ params, searchParams }: PageProps<'space'>) {
  const api = await adminPage('/admin/roles/spaces/[space]/model')
  const { space: named } = await params
  const { done } = await searchParams
  const { spaces: words } = (await currentMessages()).admin
  const space = await api.get(getSpace, { params: { space: named } })
  const { body: model, version } = await api.read(exportModel, { params: { space: space.id } })
  const text = JSON.stringify(model, null, 2)
  const file = `${space.key}.json`
  const replace = {
    ...(await formWords('save')),
    submit: words.modelLook,
    confirm: words.modelConfirm,
  }
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={fill(words.modelTitle, { name: space.name })}
      intro={words.modelIntro}
      above={{ href: `/admin/roles/spaces/${space.id}`, label: space.name }}
      done={done}
    >
      <Section
        title={words.modelNow}
        aside={
          <a
            href={`${API_BASE}/spaces/${space.id}/model`}
            download={file}
            className="inline-flex min-h-9 items-center text-link"
          >
            {fill(words.modelDownload, { file })}
          </a>
        }
      >
        <details>
          <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link">
            {file}
          </summary>
          <JsonBlock value={model} label={file} />
        </details>
      </Section>
      {api.may('spaces:write') && (
        <Section title={words.replaceTitle} text={words.replaceText}>
          <AdminForm
            action={replaceModel}
            words={replace}
            hidden={{ id: space.id, version: version ?? '' }}
          >
            <TextArea name="model" label={words.modelField} rows={14} code defaultValue={text} />
            <DiffPreview words={words} />
          </AdminForm>
        </Section>
      )}
    </AdminFrame>
  )
}
