import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getUser } from '@/lib/api/users/users'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { Deletion } from '../../_ui/danger'
import { AdminForm, Check } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { deleteUser, saveUser } from '../actions'
import { UserFields } from '../fields'
import { UserFrame } from './user-frame'

export const generateMetadata = pageTitle(({ admin }) => admin.users.title)

export default async function UserPage({ params, searchParams }: PageProps<'user'>) {
  const api = await adminPage('/admin/users/[user]')
  const { user: id } = await params
  const { done } = await searchParams
  const { users: words } = (await currentMessages()).admin
  const { body: user, version } = await api.read(getUser, { params: { user: id } })
  const hidden = { id: user.id, version: version ?? '' }
  return (
    <UserFrame api={api} user={user} tab="" done={done}>
      <div className="grid max-w-[42rem] gap-7">
        <Section title={words.profileTab}>
          <AdminForm
            action={saveUser}
            words={await formWords('save')}
            hidden={hidden}
            readOnly={!api.may('users:write')}
          >
            <UserFields words={words} user={user} />
            <Check name="enabled" label={words.enabled} checked={user.enabled} />
          </AdminForm>
        </Section>
        {api.may('users:write') && (
          <Deletion
            action={deleteUser}
            words={words}
            name={user.email ?? user.username ?? user.id}
            hidden={hidden}
          />
        )}
      </div>
    </UserFrame>
  )
}
