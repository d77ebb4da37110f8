import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { adminPage } from '@/lib/admin/api'
import { listSpaces } from '@/lib/admin/spaces'
import { currentMessages } from '@/lib/browser/locale'
import { CreatePage } from '../../_ui/create-page'
import { Select, TextInput } from '../../_ui/form'
import { createApi } from '../actions'
import { ApiFields } from '../fields'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.apis.newTitle }
}

export default async function NewApiPage() {
  const api = await adminPage('/admin/apis/new')
  const { admin } = await currentMessages()
  const { apis: words } = admin
  const spaces = await listSpaces(api)
  if (spaces.length === 0) redirect('/admin/apis')
  return (
    <CreatePage
      api={api}
      page="/admin/apis"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: '/admin/apis', label: words.title }}
      action={createApi}
    >
      <Select
        name="space"
        label={words.space}
        hint={words.spaceHint}
        options={spaces.map(({ id, name }) => [id, name])}
      />
      <TextInput name="prefix" label={words.prefix} hint={words.prefixHint} />
      <ApiFields words={words} />
    </CreatePage>
  )
}
