import { adminPage } from '@/lib/admin/api'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { AdminFrame } from '../../_ui/frame'
import { ImportForm } from './form'

export const generateMetadata = pageTitle(({ admin }) => admin.users.importing.title)

export default async function ImportPage() {
  const api = await adminPage('/admin/users/import')
  const { admin, common } = await currentMessages()
  const { users: words } = admin
  return (
    <AdminFrame
      api={api}
      page="/admin/users"
      title={words.importing.title}
      intro={words.importing.intro}
      above={{ href: '/admin/users', label: words.title }}
    >
      <ImportForm words={words.importing} problem={common.problem} />
    </AdminFrame>
  )
}
