import { adminPage } from '@/lib/admin/api'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { CreatePage } from '../../_ui/create-page'
import { createGroup } from '../actions'
import { GroupFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.groups.new)

export default async function NewGroupPage() {
  const api = await adminPage('/admin/groups/new')
  const { admin } = await currentMessages()
  const { groups: words } = admin
  return (
    <CreatePage
      api={api}
      page="/admin/groups"
      title={words.new}
      intro={words.empty}
      above={{ href: '/admin/groups', label: words.title }}
      action={createGroup}
    >
      <GroupFields words={words} />
    </CreatePage>
  )
}
