import { adminPage } from '@/lib/admin/api'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { sendsMail } from '@/lib/delivery/mail/mode'
import { op } from '@/lib/op'
import { CreatePage } from '../../_ui/create-page'
import { Check } from '../../_ui/form'
import { createUser } from '../actions'
import { UserFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.users.newTitle)

export default async function NewUserPage() {
  const api = await adminPage('/admin/users/new')
  const { admin } = await currentMessages()
  const { users: words } = admin
  return (
    <CreatePage
      api={api}
      page="/admin/users"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: '/admin/users', label: words.title }}
      action={createUser}
    >
      <UserFields words={words} />
      {sendsMail(await op()) ? (
        <Check name="invite" label={words.inviteNow} />
      ) : (
        <p className="text-muted">{words.inviteLater}</p>
      )}
    </CreatePage>
  )
}
