import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { getUser, type UserWire } from '@/lib/api/users/users'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { plural } from '@/lib/i18n/plural'
import { Choose } from '../../_ui/choose'
import { AdminForm } from '../../_ui/form'
import { AdminFrame } from '../../_ui/frame'
import { changeUsers } from './actions'
import { type BulkAction, bulkActionsFor } from './bulk-actions'

export const generateMetadata = pageTitle(({ admin }) => admin.users.bulk.title)

const MAX = 200

/** What is about to happen, to how many and to whom; then one button. */
export default async function BulkPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/users/bulk')
  const params = await searchParams
  const action = bulkActionsFor(api).find((one) => one === params.do)
  const users = await selected(api, [params.id ?? []].flat())
  const { users: words } = (await currentMessages()).admin
  return (
    <AdminFrame
      api={api}
      page="/admin/users"
      title={words.bulk.title}
      above={{ href: '/admin/users', label: words.title }}
    >
      {action && users.length > 0 ? (
        <Question action={action} users={users} />
      ) : (
        <p>{words.bulk.nobody}</p>
      )}
    </AdminFrame>
  )
}

async function selected(api: AdminApi, ids: readonly string[]): Promise<UserWire[]> {
  const known = [...new Set(ids)].slice(0, MAX)
  const found = await Promise.all(known.map((id) => api.find(getUser, { params: { user: id } })))
  return found.filter((user) => user !== null)
}

type QuestionProps = { action: BulkAction; users: UserWire[] }

async function Question({ action, users }: QuestionProps) {
  const { admin, common } = await currentMessages()
  const { bulk: words } = admin.users
  const locale = await currentLocale()
  const { length } = users
  const submit = plural(locale, words.go, length, { action: words.actions[action] })
  return (
    <div className="grid max-w-[42rem] gap-6">
      <Section title={plural(locale, words.texts[action], length)} text={words.all}>
        <ul className="max-h-80 columns-2 gap-8 overflow-y-auto text-small max-sm:columns-1">
          {users.map(({ id, name, email, username }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              {[name, email ?? username].filter(Boolean).join(' · ')}
            </li>
          ))}
        </ul>
      </Section>
      <AdminForm
        action={changeUsers}
        words={{ submit, busy: words.going, problem: common.problem }}
        hidden={{ do: action, users: users.map(({ id }) => id).join(' ') }}
        aside={<QuietLink href="/admin/users">{admin.form.cancel}</QuietLink>}
      >
        {action.endsWith('_group') && <Choose name="group" kind="group" label={words.group} />}
        {action === 'assign_role' && <Choose name="role" kind="role" label={words.role} />}
      </AdminForm>
    </div>
  )
}
