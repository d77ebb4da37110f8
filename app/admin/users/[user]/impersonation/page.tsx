import { LinkButton } from '@/app/_ui/link-button'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { wayToProof } from '@/app/account/proof'
import { IMPERSONATION_KINDS } from '@/lib/access/impersonation'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { signedInCaller } from '@/lib/api/http/caller'
import { listImpersonations, obstacleFor } from '@/lib/api/users/impersonations'
import { getUser, type UserWire } from '@/lib/api/users/users'
import { currentMessages, currentSettings, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AdminForm, Select, TextArea } from '../../../_ui/form'
import { AdminFrame } from '../../../_ui/frame'
import { Moment } from '../../../_ui/moment'
import { Rows } from '../../../_ui/rows'
import { endIt, openAccount } from './actions'

export const generateMetadata = pageTitle(({ admin }) => admin.users.impersonation.title)

/** An admin is about to see what a user sees. */
export default async function ImpersonationPage({ params, searchParams }: PageProps<'user'>) {
  const api = await adminPage('/admin/users/[user]/impersonation')
  const { user: id } = await params
  const { done } = await searchParams
  const { users } = (await currentMessages()).admin
  const user = await api.get(getUser, { params: { user: id } })
  const above = { href: `/admin/users/${user.id}`, label: user.name ?? user.email ?? users.noName }
  const { title } = users.impersonation
  return (
    <AdminFrame api={api} page="/admin/users" title={title} above={above} done={done}>
      <div className="grid max-w-[42rem] gap-7">
        <Opening api={api} user={user} />
        {api.may('users:impersonate') && <Running api={api} user={user} />}
      </div>
    </AdminFrame>
  )
}

type Part = { api: AdminApi; user: UserWire }

async function Opening({ api, user }: Part) {
  const { admin, problems, common } = await currentMessages()
  const { impersonation: words } = admin.users
  const caller = signedInCaller(api.session)
  const obstacle = await obstacleFor(await op(), caller, user.id, 'read_only')
  if (obstacle !== null) {
    return (
      <Section title={words.impossible} text={problems.errorMessages[obstacle]}>
        {obstacle === 'impersonation_off' && api.may('settings:write') && (
          <LinkButton href="/admin/settings" tone="quiet">
            {words.off}
          </LinkButton>
        )}
      </Section>
    )
  }
  const proof = await wayToProof(api.session, `/admin/users/${user.id}/impersonation`)
  if (proof) {
    return (
      <Section title={words.factor} text={words.factorText}>
        <div>
          <LinkButton href={proof.href}>{proof.label}</LinkButton>
        </div>
      </Section>
    )
  }
  const { impersonation: mode } = (await currentSettings()).security
  const submit = { submit: words.start, busy: words.starting, problem: common.problem }
  return (
    <Section title={user.name ?? user.email ?? user.id} text={words.intro}>
      <AdminForm
        action={openAccount}
        words={submit}
        hidden={{ user: user.id, ...(mode === 'full' ? {} : { mode: 'read_only' }) }}
      >
        <TextArea name="reason" label={words.reason} hint={words.reasonHint} />
        {mode === 'full' && (
          <Select
            name="mode"
            label={words.mode}
            defaultValue="read_only"
            options={choices(IMPERSONATION_KINDS, words.modes)}
          />
        )}
      </AdminForm>
    </Section>
  )
}

/** Who is in this account now; whoever holds the scope ends it. */
async function Running({ api, user }: Part) {
  const { impersonation: words } = (await currentMessages()).admin.users
  const { data } = await api.get(listImpersonations, { query: { user: user.id } })
  return (
    <Section title={words.running}>
      <Rows none={words.runningNone}>
        {data.map(({ id, admin, reason, mode, expiresAt }) => ({
          key: id,
          title: admin.name,
          facts: [
            [words.modes[mode], ''],
            [words.reason, reason],
            [words.until, <Moment key="until" at={expiresAt} />],
          ],
          action: (
            <form action={endIt}>
              <input type="hidden" name="user" value={user.id} />
              <input type="hidden" name="id" value={id} />
              <QuietSubmit
                label={words.end}
                busyLabel={words.ending}
                name={fill(words.endNamed, { name: admin.name })}
              />
            </form>
          ),
        }))}
      </Rows>
    </Section>
  )
}
