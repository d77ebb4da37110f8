import type { Metadata } from 'next'
import { QuietLink } from '@/app/_ui/quiet-link'
import { adminPage } from '@/lib/admin/api'
import { currentMessages } from '@/lib/browser/locale'
import { AdminForm, Check } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { AdminFrame } from '../../_ui/frame'
import { createUser } from '../actions'
import { UserFields } from '../fields'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.users.newTitle }
}

export default async function NewUserPage() {
  const api = await adminPage('/admin/users/new')
  const { admin } = await currentMessages()
  const { users: words } = admin
  return (
    <AdminFrame
      api={api}
      page="/admin/users"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: '/admin/users', label: words.title }}
    >
      <div className="max-w-[38rem]">
        <AdminForm
          action={createUser}
          words={await formWords('create')}
          aside={<QuietLink href="/admin/users">{admin.form.cancel}</QuietLink>}
        >
          <UserFields words={words} />
          <Check name="invite" label={words.inviteNow} />
        </AdminForm>
      </div>
    </AdminFrame>
  )
}
