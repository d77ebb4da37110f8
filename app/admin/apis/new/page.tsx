import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import { listSpaces } from '@/lib/admin/spaces'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { CreatePage } from '../../_ui/create-page'
import { Select, TextArea, TextInput } from '../../_ui/form'
import { KeyField } from '../../_ui/key-field'
import { createApi } from '../actions'
import { ApiFields, ApiName } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.newTitle)

export default async function NewApiPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/apis/new')
  const { admin } = await currentMessages()
  const { apis: words } = admin
  const spaces = await listSpaces(api)
  const isStep = (await searchParams).from === 'steps'
  return (
    <CreatePage
      api={api}
      page="/admin/apis"
      title={words.newTitle}
      intro={words.newIntro}
      above={
        isStep
          ? { href: '/admin', label: admin.overview.steps.title }
          : { href: '/admin/apis', label: words.title }
      }
      action={createApi}
      hidden={isStep ? { from: 'steps' } : {}}
    >
      {spaces.length > 0 ? (
        <Select {...worded(words, 'space')} options={spaces.map(({ id, name }) => [id, name])} />
      ) : (
        <TextInput {...worded(words, 'spaceName')} defaultValue={words.spaceNameDefault} />
      )}
      <ApiName words={words} />
      <KeyField name="prefix" label={words.prefix} hint={words.prefixHint} of={undefined} />
      <TextArea
        {...worded(words, 'items')}
        mark={admin.form.optional}
        placeholder={'orders:read See orders\norders:write Change orders'}
        code
      />
      <ApiFields words={words} />
    </CreatePage>
  )
}
