import type { Metadata } from 'next'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import type { UserWire } from '@/lib/api/routes/users'
import { fill } from '@/lib/i18n/fill'
import { currentMessages } from '@/lib/locale'
import { DangerZone } from '../../_ui/danger'
import { AdminForm, Check, TextInput } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { AdminFrame } from '../../_ui/frame'
import { deleteUser, saveUser } from '../actions'
import { UserFields } from '../fields'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.users.title }
}

type Props = {
  params: Promise<{ user: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function UserPage({ params, searchParams }: Props) {
  const api = await adminPage('/admin/users/[user]')
  const { user: id } = await params
  const { done } = await searchParams
  const { users: words } = (await currentMessages()).admin
  const { body: user, version } = await api.read<UserWire>(`/users/${encodeURIComponent(id)}`)
  const hidden = { id: user.id, version: version ?? '' }
  return (
    <AdminFrame
      api={api}
      page="/admin/users"
      title={user.name ?? user.email ?? user.username ?? words.noName}
      above={{ href: '/admin/users', label: words.title }}
      done={done}
    >
      <Section title={words.profileTab}>
        <AdminForm action={saveUser} words={await formWords('save')} hidden={hidden}>
          <UserFields words={words} user={user} />
          <Check name="enabled" label={words.enabled} checked={user.enabled} />
        </AdminForm>
      </Section>
      {api.may('users:write') && <Deletion user={user} hidden={hidden} />}
    </AdminFrame>
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
