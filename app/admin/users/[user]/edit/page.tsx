import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getUser } from '@/lib/api/users/users'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { Deletion } from '../../../_ui/danger'
import { AdminForm, Check } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { deleteUser, saveUser } from '../../actions'
import { MoreUserFields, UserFields } from '../../fields'
import { UserFrame } from '../user-frame'

export const generateMetadata = pageTitle(({ admin }) => admin.users.profileTab)

export default async function EditUserPage({ params, searchParams }: PageProps<'user'>) {
  const api = await adminPage('/admin/users/[user]/edit')
  const { user: id } = await params
  const { done } = await searchParams
  const { users: words } = (await currentMessages()).admin
  const { body: user, version } = await api.read(getUser, { params: { user: id } })
  const hidden = { id: user.id, version: version ?? '' }
  const mayWrite = api.may('users:write')
  return (
    <UserFrame api={api} user={user} tab="/edit" done={done}>
      <div className="grid max-w-[42rem] gap-7">
        <Section title={words.profileTab}>
          <AdminForm
            action={saveUser}
            words={await formWords('save')}
            hidden={hidden}
            readOnly={!mayWrite}
          >
            <UserFields words={words} user={user} />
            <MoreUserFields words={words} user={user} />
            <Check name="enabled" label={words.enabled} checked={user.enabled} />
          </AdminForm>
        </Section>
        {mayWrite && (
          <Section title={words.merge.title} text={words.merge.about}>
            <p>
              <a href={`/admin/users/${user.id}/merge`} className="text-link">
                {words.merge.choose}
              </a>
            </p>
          </Section>
        )}
        {mayWrite && (
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
