import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { type ApplicationUsage, getApplicationUsage } from '@/lib/api/applications/people'
import { MAX_COUNTED } from '@/lib/api/http/page'
import { getUser } from '@/lib/api/users/users'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { paths } from '@/lib/oidc/paths'
import { op } from '@/lib/op'
import { Fact, Facts } from '../../_ui/facts'
import { AppFrame, readApp, tabTitle } from '../app-frame'
import { SignInProtection } from './sign-in-protection'

export const generateMetadata = tabTitle('overview')

export default async function ApplicationPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]')
  const { body: app } = await readApp(api, (await params).app)
  const { done } = await searchParams
  const usage = await api.get(getApplicationUsage, { params: { id: app.id } })
  return (
    <AppFrame api={api} app={app} tab="overview" done={done}>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Identity api={api} app={app} />
        <Activity api={api} app={app} usage={usage} />
      </div>
      {app.grantTypes.includes('authorization_code') && (
        <SignInProtection app={app} used={usage.signInUsed} />
      )}
      <Endpoints app={app} />
    </AppFrame>
  )
}

type Part = { api: AdminApi; app: ApplicationWire }

async function Identity({ api, app }: Part) {
  const { applications: words } = (await currentMessages()).admin
  return (
    <Section title={words.overview.identity}>
      <Facts>
        <Fact term={words.overview.clientId} copy={app.id}>
          {app.id}
        </Fact>
        <Fact term={words.kind}>{words.kinds[app.kind]}</Fact>
        <Fact term={words.publisher}>
          {app.publisherVerified ? `${app.publisher} (${words.verified})` : (app.publisher ?? '–')}
        </Fact>
        {app.firstParty && (
          <Fact term={words.settings.belonging}>{words.settings.belongsToUs}</Fact>
        )}
        <Fact term={words.owner}>
          <Owner api={api} app={app} />
        </Fact>
        <Fact term={words.overview.madeBy}>{words.overview.registrations[app.registration]}</Fact>
        <Fact term={words.created}>
          <When at={app.createdAt} full />
        </Fact>
        <Fact term={words.updated}>
          <When at={app.updatedAt} full />
        </Fact>
      </Facts>
    </Section>
  )
}

/** An app manager sees no users, and themselves. */
async function Owner({ api, app: { owner } }: Part) {
  const { overview: words } = (await currentMessages()).admin.applications
  if (owner === null) return words.ownerNone
  const { user } = api.session
  if (owner === user.id) return `${user.name ?? user.email} (${words.you})`
  const found = api.may('users:read') ? await api.find(getUser, { params: { user: owner } }) : null
  return (
    <a href={`/admin/users/${owner}`} className="text-link">
      {found?.name ?? found?.email ?? owner}
    </a>
  )
}

async function Activity({ api, app, usage }: Part & { usage: ApplicationUsage }) {
  const { admin } = await currentMessages()
  const { overview: words } = admin.applications
  const { lastUsedAt, lastUsedIp, lastSignInAt, people, secrets, accessKeys } = usage
  const counts = { secrets: String(secrets), keys: String(accessKeys) }
  const isPublic = app.authMethods.includes('none')
  return (
    <Section title={words.activity}>
      <Facts>
        {!isPublic && (
          <Fact term={words.lastUsed}>
            {lastUsedAt === null ? admin.never : <When at={lastUsedAt} full />}
            {lastUsedIp !== null && ` ${fill(words.lastUsedFrom, { ip: lastUsedIp })}`}
          </Fact>
        )}
        {!isPublic && <Fact term={words.live}>{fill(words.liveText, counts)}</Fact>}
        {app.kind !== 'machine' && (
          <Fact term={words.lastSignIn}>
            {lastSignInAt === null ? admin.never : <When at={lastSignInAt} full />}
          </Fact>
        )}
        {app.kind !== 'machine' && (
          <Fact term={words.people}>
            <a
              href={`/admin/applications/${encodeURIComponent(app.id)}/people`}
              className="text-link"
            >
              {people < MAX_COUNTED ? people : `${MAX_COUNTED}+`}
            </a>
          </Fact>
        )}
      </Facts>
      <Elsewhere api={api} app={app} />
    </Section>
  )
}

async function Elsewhere({ api, app }: Part) {
  const { overview: words } = (await currentMessages()).admin.applications
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1">
      {api.may('audit:read') && (
        <a href={`/admin/audit?applicationId=${app.id}`} className="text-link">
          {words.log}
        </a>
      )}
      {api.may('scopes:decide') && (
        <a href={`/admin/simulator?client=${app.id}`} className="text-link">
          {words.simulate}
        </a>
      )}
    </p>
  )
}

const WITH_BROWSER = ['authorize', 'userinfo', 'endSession'] as const

const CALLED_FOR_PEOPLE = {
  web: WITH_BROWSER,
  spa: WITH_BROWSER,
  native: WITH_BROWSER,
  device: ['deviceAuthorization', 'userinfo'],
  machine: [],
} as const

/** What a machine or a device never calls is left out. */
async function Endpoints({ app }: { app: ApplicationWire }) {
  const { overview: words } = (await currentMessages()).admin.applications
  const { issuer, origin } = await op()
  const all = ['token', 'introspection', 'revocation', 'jwks'] as const
  const shown = [...CALLED_FOR_PEOPLE[app.kind], ...all] as const
  return (
    <Section title={words.endpoints} text={words.endpointsText}>
      <Facts>
        <Fact term={words.issuer} copy={issuer}>
          {issuer}
        </Fact>
        {(['discovery', ...shown] as const).map((name) => (
          <Fact key={name} term={words[name]} copy={`${origin}${paths[name]}`}>
            {`${origin}${paths[name]}`}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
