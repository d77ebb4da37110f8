import type { Metadata } from 'next'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getUser, type UserWire } from '@/lib/api/routes/users'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { DangerZone } from '../../_ui/danger'
import { AdminForm, Check, TextInput } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { deleteUser, saveUser } from '../actions'
import { UserFields } from '../fields'
import { UserFrame, type UserPageProps } from './user-frame'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.users.title }
}

export default async function UserPage({ params, searchParams }: UserPageProps) {
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
        {api.may('users:write') && <Deletion user={user} hidden={hidden} />}
      </div>
    </UserFrame>
  )
}

async function Deletion({ user, hidden }: { user: UserWire; hidden: Record<string, string> }) {
  const { users: words, form } = (await currentMessages()).admin
  const name = user.email ?? user.username ?? user.id
  return (
    <DangerZone title={words.dangerTitle} summary={words.dangerSummary} text={words.danger}>
      <AdminForm action={deleteUser} words={await formWords('delete')} hidden={{ ...hidden, name }}>
        <TextInput name="typed" label={fill(form.typeName, { name })} />
      </AdminForm>
    </DangerZone>
  )
}
