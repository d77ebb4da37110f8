import type { ReactNode } from 'react'
import { deviceName } from '@/app/_ui/device-name'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { approvalHref } from '@/lib/admin/approval-text'
import { type AuditEventWire, listAuditEvents } from '@/lib/api/records/audit'
import { getUserOverview, type UserOverview } from '@/lib/api/users/user-overview'
import { deviceOf } from '@/lib/base/device'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { Fact, Facts } from '../../_ui/facts'
import { Moment } from '../../_ui/moment'
import { meaningOf } from '../../audit/meaning'
import { UserFrame } from './user-frame'

export const generateMetadata = pageTitle(({ admin }) => admin.users.title)

const MOST_EVENTS = 6
const MOST_ROLES = 8

export default async function UserPage({ params, searchParams }: PageProps<'user'>) {
  const api = await adminPage('/admin/users/[user]')
  const { user: id } = await params
  const { done } = await searchParams
  const overview = await api.get(getUserOverview, { params: { user: id } })
  const { user, state } = overview
  return (
    <UserFrame api={api} user={user} state={state} tab="" done={done}>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <SignIn overview={overview} />
        <Access overview={overview} />
        <Uses overview={overview} />
        {api.may('audit:read') && <Events api={api} userId={user.id} />}
      </div>
    </UserFrame>
  )
}

type Part = { overview: UserOverview }

function More({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="text-link text-small">
      {children}
    </a>
  )
}

/** Short lines below each other. */
function Lines({ children }: { children: readonly { key: string; line: ReactNode }[] }) {
  return (
    <ul className="grid divide-y divide-line border-line border-y">
      {children.map(({ key, line }) => (
        <li key={key} className="flex flex-wrap justify-between gap-x-4 py-2">
          {line}
        </li>
      ))}
    </ul>
  )
}

async function SignIn({ overview }: Part) {
  const { admin } = await currentMessages()
  const { users: words } = admin
  const { user, state, invitedUntil, deleteAfter, lastSignInAt } = overview
  const at = `/admin/users/${user.id}`
  const until = invitedUntil ?? deleteAfter
  return (
    <Section
      title={words.overview.signIn}
      aside={<More href={`${at}/access`}>{words.accessTab}</More>}
    >
      {state !== 'enabled' && (
        <p>
          {words.overview.states[state]}
          {until !== null && ` ${fill(words.overview.until, { date: await momentText(until) })}`}
        </p>
      )}
      <Facts>
        <Fact term={words.overview.lastSignIn}>
          {lastSignInAt === null ? admin.never : <When at={lastSignInAt} full />}
        </Fact>
        <Fact term={words.access.ways}>{await methodsOf(overview)}</Fact>
        <Fact term={words.email}>
          {user.email ?? '–'}
          {user.email !== null && !user.emailVerified && (
            <span className="text-muted"> · {words.overview.notVerified}</span>
          )}
        </Fact>
        {user.username !== null && <Fact term={words.username}>{user.username}</Fact>}
        <Fact term={words.created}>
          <When at={user.createdAt} full />
        </Fact>
      </Facts>
    </Section>
  )
}

async function methodsOf({ password, passkeys, authenticators, identities }: UserOverview) {
  const { users: words } = (await currentMessages()).admin
  const locale = await currentLocale()
  const some = (count: number, text: keyof typeof words.overview.methods) =>
    count > 0 && plural(locale, words.overview.methods[text], count)
  const all = [
    password && words.access.password,
    some(passkeys, 'passkeys'),
    some(authenticators, 'authenticators'),
    some(identities, 'identities'),
  ].filter((one) => one !== false)
  return all.length === 0 ? words.overview.noMethods : all.join(' · ')
}

async function Access({ overview: { user, access } }: Part) {
  const { users: words } = (await currentMessages()).admin
  if (access === null) return null
  const { groups, roles, approved } = access
  const groupName = (id: string) => groups.find((one) => one.id === id)?.name ?? id
  const lines = [
    ...roles.slice(0, MOST_ROLES).map(({ assignment, role, name, group, effect }) => ({
      key: assignment,
      line: (
        <>
          <a href={`/admin/roles/${role}`} className="text-link">
            {name}
          </a>
          <span className="text-muted text-small">
            {effect === 'deny' && `${words.permissions.deny} · `}
            {group === null
              ? words.overview.direct
              : fill(words.permissions.byGroup, { group: groupName(group) })}
          </span>
        </>
      ),
    })),
    ...approved.map(({ grant, permission, request, until }) => ({
      key: grant,
      line: (
        <>
          <code className="code">{permission}</code>
          <span className="text-muted text-small">
            <a href={approvalHref({ id: request })} className="text-link">
              {words.overview.approved}
            </a>
            {until !== null && (
              <>
                {' · '}
                <Moment at={until} />
              </>
            )}
          </span>
        </>
      ),
    })),
  ]
  return (
    <Section
      title={words.overview.access}
      aside={<More href={`/admin/users/${user.id}/permissions`}>{words.permissionsTab}</More>}
    >
      {lines.length > 0 ? (
        <Lines>{lines}</Lines>
      ) : (
        <p className="text-muted">{words.permissions.rolesNone}</p>
      )}
      {roles.length > MOST_ROLES && (
        <p className="text-muted text-small">
          {plural(await currentLocale(), words.overview.moreRoles, roles.length - MOST_ROLES)}
        </p>
      )}
      {groups.length > 0 && (
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <span className="text-muted">{words.permissions.groups}</span>
          {groups.map(({ id, name }) => (
            <a key={id} href={`/admin/groups/${id}`} className="text-link">
              {name}
            </a>
          ))}
        </p>
      )}
    </Section>
  )
}

async function Uses({ overview: { user, sessions, applications } }: Part) {
  const { admin, account } = await currentMessages()
  const { access: words, overview } = admin.users
  return (
    <Section
      title={overview.uses}
      aside={<More href={`/admin/users/${user.id}/access`}>{overview.end}</More>}
    >
      {sessions.length === 0 ? (
        <p className="text-muted">{words.sessionsNone}</p>
      ) : (
        <Lines>
          {sessions.map(({ id, userAgent, place, lastSeenAt }) => ({
            key: id,
            line: (
              <>
                <span>{deviceName(deviceOf(userAgent), account.sessions)}</span>
                <span className="text-muted text-small">
                  {place !== null && `${place} · `}
                  <When at={lastSeenAt} />
                </span>
              </>
            ),
          }))}
        </Lines>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <span className="text-muted">{words.apps}</span>
        {applications.length === 0 && <span>–</span>}
        {applications.map(({ id, name }) => (
          <a key={id} href={`/admin/applications/${encodeURIComponent(id)}`} className="text-link">
            {name}
          </a>
        ))}
      </p>
    </Section>
  )
}

async function Events({ api, userId }: { api: AdminApi; userId: string }) {
  const { admin, events } = await currentMessages()
  const { overview: words } = admin.users
  const query = { targetId: userId, limit: MOST_EVENTS, include: 'names' as const }
  const { data, names = {} } = await api.get(listAuditEvents, { query })
  const by = ({ actorKind, actorId }: AuditEventWire) =>
    actorId === userId || actorKind === 'system' ? null : (names[actorId ?? ''] ?? actorId)
  return (
    <Section title={words.events}>
      {data.length === 0 && <p className="text-muted">{words.eventsNone}</p>}
      <Lines>
        {data.map((entry) => ({
          key: entry.id,
          line: (
            <>
              <a href={`/admin/audit/${entry.id}`} className="min-w-0 hover:underline">
                {meaningOf(entry.event, events) || entry.event}
              </a>
              <span className="text-muted text-small">
                {entry.result === 'success' || `${admin.audit.results.failure} · `}
                {by(entry) !== null && `${by(entry)} · `}
                <When at={entry.at} />
              </span>
            </>
          ),
        }))}
      </Lines>
    </Section>
  )
}
