import { deviceName } from '@/app/_ui/device-name'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import * as access from '@/lib/api/users/user-access'
import { getUser, type UserWire } from '@/lib/api/users/users'
import { deviceOf } from '@/lib/base/device'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { mailMode, sendsMail } from '@/lib/delivery/mail/mode'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { Rows } from '../../../_ui/rows'
import { onceWords } from '../../../applications/once'
import { ShownOnce } from '../../../applications/shown-once'
import { UserFrame } from '../user-frame'
import {
  endAllSessions,
  endSession,
  inviteUser,
  makeInvitationLink,
  removeFactor,
  sendReset,
  takeApp,
} from './actions'

export const generateMetadata = pageTitle(({ admin }) => admin.users.accessTab)

export default async function UserAccessPage({ params, searchParams }: PageProps<'user'>) {
  const api = await adminPage('/admin/users/[user]/access')
  const { user: id } = await params
  const { done } = await searchParams
  const user = await api.get(getUser, { params: { user: id } })
  const factors = await api.get(access.listUserFactors, { params: { user: user.id } })
  return (
    <UserFrame api={api} user={user} tab="/access" done={done}>
      <Ways api={api} user={user} factors={factors} />
      <Sessions api={api} user={user} />
      <Apps api={api} user={user} />
    </UserFrame>
  )
}

type Part = { api: AdminApi; user: UserWire }

async function Ways({ api, user, factors }: Part & { factors: access.UserFactors }) {
  const { access: words } = (await currentMessages()).admin.users
  const mayWrite = api.may('users:write')
  return (
    <Section title={words.ways} text={words.waysText}>
      <Facts>
        <Fact term={words.password}>{factors.password ? words.set : words.notSet}</Fact>
        <Fact term={words.recoveryCodes}>{factors.recoveryCodes}</Fact>
      </Facts>
      <Rows none={words.noWays}>
        {factors.data.map(({ id, kind, name, createdAt, lastUsedAt }) => ({
          key: id,
          title: name || words.kinds[kind],
          facts: [
            [words.kinds[kind], ''],
            [words.added, <When key="added" at={new Date(createdAt)} />],
            ...(lastUsedAt
              ? [[words.used, <When key="used" at={new Date(lastUsedAt)} />] as const]
              : []),
          ],
          action: mayWrite && (
            <form action={removeFactor}>
              <input type="hidden" name="user" value={user.id} />
              <input type="hidden" name="id" value={id} />
              <QuietSubmit
                label={words.remove}
                busyLabel={words.removing}
                name={fill(words.removeNamed, { name: name || words.kinds[kind] })}
              />
            </form>
          ),
        }))}
      </Rows>
      {mayWrite && user.email !== null && <Letters user={user} factors={factors} />}
    </Section>
  )
}

async function Letters({ user, factors }: { user: UserWire; factors: access.UserFactors }) {
  const { access: words } = (await currentMessages()).admin.users
  const outside = !factors.password && factors.data.every(({ kind }) => kind === 'totp')
  const portal = await op()
  const hasMail = sendsMail(portal)
  // Without a server, mail of development is printed, and only there a reset can be read.
  const isWritten = outside ? hasMail : mailMode(portal) !== 'off'
  return (
    <>
      {isWritten && (
        <form action={outside ? inviteUser : sendReset} className="grid justify-items-start gap-2">
          <input type="hidden" name="user" value={user.id} />
          <p className="text-muted text-small">{outside ? words.inviteText : words.resetText}</p>
          {!hasMail && <p className="text-small">{words.printed}</p>}
          <QuietSubmit
            label={outside ? words.invite : words.reset}
            busyLabel={outside ? words.inviting : words.resetting}
          />
        </form>
      )}
      {outside && <InvitationLink user={user} hasMail={hasMail} />}
    </>
  )
}

/** The way in for a user whom no mail reaches. */
async function InvitationLink({ user, hasMail }: { user: UserWire; hasMail: boolean }) {
  const { users, form } = (await currentMessages()).admin
  const { access: words } = users
  const submit = hasMail ? words.makeLink : words.copyLink
  return (
    <AdminForm
      action={makeInvitationLink}
      words={{ ...(await formWords('create')), submit, busy: form.creating }}
      hidden={{ user: user.id }}
      quiet
      made={<ShownOnce words={await onceWords()} />}
    >
      <p className="text-muted text-small">
        {hasMail ? words.notArrived : words.mailOff} {words.linkWarning}
      </p>
    </AdminForm>
  )
}

async function Sessions({ api, user }: Part) {
  const { admin, account } = await currentMessages()
  const { access: words } = admin.users
  const { data } = await api.get(access.listUserSessions, { params: { user: user.id } })
  const mayWrite = api.may('users:write')
  const nameOf = ({ userAgent }: access.UserSession) =>
    deviceName(deviceOf(userAgent), account.sessions)
  return (
    <Section
      title={words.sessions}
      aside={
        mayWrite &&
        data.length > 0 && (
          <form action={endAllSessions}>
            <input type="hidden" name="user" value={user.id} />
            <QuietSubmit label={words.endAll} busyLabel={words.ending} />
          </form>
        )
      }
    >
      <Rows none={words.sessionsNone}>
        {data.map((session) => ({
          key: session.id,
          title: nameOf(session),
          facts: [
            [words.address, session.ip ?? '–'],
            ...(session.place === null ? [] : [[words.place, session.place] as const]),
            [words.seen, <When key="seen" at={new Date(session.lastSeenAt)} />],
          ],
          action: mayWrite && (
            <form action={endSession}>
              <input type="hidden" name="user" value={user.id} />
              <input type="hidden" name="id" value={session.id} />
              <QuietSubmit
                label={words.end}
                busyLabel={words.ending}
                name={`${words.end}: ${nameOf(session)}`}
              />
            </form>
          ),
        }))}
      </Rows>
    </Section>
  )
}

async function Apps({ api, user }: Part) {
  const { access: words } = (await currentMessages()).admin.users
  const { data } = await api.get(access.listUserApplications, { params: { user: user.id } })
  return (
    <Section title={words.apps}>
      <Rows none={words.appsNone}>
        {data.map(({ application, name, granted, refused, lastUsedAt }) => ({
          key: application,
          title: (
            <a
              href={`/admin/applications/${encodeURIComponent(application)}`}
              className="text-link"
            >
              {name}
            </a>
          ),
          facts: [
            [words.granted, granted.join(' ') || '–'],
            ...(lastUsedAt === null
              ? []
              : [[words.used, <When key="used" at={new Date(lastUsedAt)} />] as const]),
            ...(refused.length > 0 ? [[words.refused, refused.join(' ')] as const] : []),
          ],
          action: api.may('users:write') && (
            <form action={takeApp}>
              <input type="hidden" name="user" value={user.id} />
              <input type="hidden" name="id" value={application} />
              <QuietSubmit
                label={words.removeApp}
                busyLabel={words.removing}
                name={`${words.removeApp}: ${name}`}
              />
            </form>
          ),
        }))}
      </Rows>
    </Section>
  )
}
