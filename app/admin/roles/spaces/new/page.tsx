import { adminPage } from '@/lib/admin/api'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { CreatePage } from '../../../_ui/create-page'
import { createSpace } from '../actions'
import { SpaceFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.spaces.newTitle)

export default async function NewSpacePage() {
  const api = await adminPage('/admin/roles/spaces/new')
  const { admin } = await currentMessages()
  const { spaces: words } = admin
  return (
    <CreatePage
      api={api}
      page="/admin/roles"
      title={words.newTitle}
      intro={words.intro}
      above={{ href: '/admin/roles/spaces', label: words.title }}
      action={createSpace}
    >
      <SpaceFields />
    </CreatePage>
  )
}
