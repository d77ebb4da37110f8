import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { listAccessKeys } from '@/lib/api/applications/access-keys'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { listApplicationSecrets } from '@/lib/api/applications/secrets'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { NewKey, NewSecret, Rotation } from './forms'
import { KeyList } from './keys'
import { PublicKeys } from './public-keys'
import { SecretList } from './secrets'

export const generateMetadata = tabTitle('credentials')

const NEWEST = { limit: 100, sort: '-createdAt' } as const

export default async function CredentialsPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/credentials')
  const { body: app } = await readApp(api, (await params).app)
  const { done, add, rotate } = await searchParams
  const { credentials: words } = (await currentMessages()).admin.applications
  const takesSecrets = app.authMethods.some((method) => method.startsWith('client_secret'))
  const signs = app.authMethods.includes('private_key_jwt')
  return (
    <AppFrame
      api={api}
      app={app}
      tab="credentials"
      intro={takesSecrets ? words.intro : words.keyIntro}
      done={done}
    >
      {takesSecrets ? (
        <>
          <Secrets api={api} app={app} adding={add === 'secret'} rotating={rotate} />
          <Keys api={api} app={app} adding={add === 'key'} />
        </>
      ) : (
        !signs && <Section title={words.publicTitle} text={words.public} />
      )}
      {signs && <PublicKeys api={api} app={app} />}
    </AppFrame>
  )
}

type Part = { api: AdminApi; app: ApplicationWire; adding: boolean }

/** One form at a time: the address says which. */
async function Secrets({ api, app, adding, rotating }: Part & { rotating: unknown }) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const { data } = await api.get(listApplicationSecrets, {
    params: { id: app.id },
    query: NEWEST,
  })
  const mayWrite = api.may('applications:write')
  const old = data.find(({ id }) => id === rotating)
  const base = `/admin/applications/${encodeURIComponent(app.id)}/credentials`
  return (
    <Section
      title={words.secrets}
      text={words.secretsText}
      aside={
        mayWrite && !adding && <LinkButton href={`${base}?add=secret`}>{words.add}</LinkButton>
      }
    >
      {mayWrite && adding && <NewSecret app={app} />}
      {mayWrite && old && <Rotation app={app} old={old} />}
      <SecretList app={app} secrets={data} mayWrite={mayWrite} />
    </Section>
  )
}

async function Keys({ api, app, adding }: Part) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const { data } = await api.get(listAccessKeys, { params: { id: app.id }, query: NEWEST })
  const mayWrite = api.may('applications:write')
  const base = `/admin/applications/${encodeURIComponent(app.id)}/credentials`
  return (
    <Section
      title={words.keys}
      text={words.keysText}
      aside={
        mayWrite && !adding && <LinkButton href={`${base}?add=key`}>{words.addKey}</LinkButton>
      }
    >
      {mayWrite && adding && <NewKey app={app} />}
      <KeyList app={app} keys={data} mayWrite={mayWrite} />
    </Section>
  )
}
