import type { Metadata } from 'next'
import { CodePanel } from '@/app/docs/api/code'
import { adminPage } from '@/lib/admin/api'
import { getApplicationGrants } from '@/lib/api/routes/application-grants'
import type { ApplicationWire } from '@/lib/api/routes/applications'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { askable, type Guide, guidesFor } from '@/lib/quick-start'
import { Tabs } from '../../../_ui/tabs'
import { AppFrame, type AppPageProps, readApp, tabTitle } from '../../app-frame'

export function generateMetadata(): Promise<Metadata> {
  return tabTitle('quickStart')
}

export default async function QuickStartPage({ params, searchParams }: AppPageProps) {
  const api = await adminPage('/admin/applications/[app]/quick-start')
  const { body: app } = await readApp(api, (await params).app)
  const asked = (await searchParams).with
  const { quickStart: words } = (await currentMessages()).admin.applications
  const { grants } = await api.get(getApplicationGrants, { params: { id: app.id } })
  const allowed = grants.filter(({ effect }) => effect === 'allow')
  const scopes = askable(allowed.map(({ pattern }) => pattern))
  const { issuer, origin } = await op()
  const guides = guidesFor({ issuer, origin }, { ...app, scopes })
  const chosen = guides.find(({ id }) => id === asked) ?? guides[0]
  const tabs = guides.map(({ id, guide }) => ({
    href: `/admin/applications/${app.id}/quick-start?with=${id}`,
    label: guide.label,
    current: id === chosen?.id,
  }))
  return (
    <AppFrame api={api} app={app} tab="quickStart" intro={words.intro}>
      <Tabs label={words.choose} tabs={tabs} />
      {chosen && <Sample app={app} guide={chosen.guide} />}
    </AppFrame>
  )
}

async function Sample({ app, guide }: { app: ApplicationWire; guide: Guide }) {
  const { admin, common } = await currentMessages()
  const { quickStart: words } = admin.applications
  const { install, files, run } = guide
  return (
    <div className="grid max-w-[54rem] grid-cols-[minmax(0,1fr)] gap-5">
      <Needs app={app} guide={guide} />
      {install && <CodePanel id="install" label={words.install} text={install} common={common} />}
      {files.map(({ name, text }, at) => (
        <CodePanel
          key={name}
          id={`file-${at}`}
          label={fill(words.file, { name })}
          text={text}
          common={common}
        />
      ))}
      <CodePanel id="run" label={words.run} text={run} common={common} />
    </div>
  )
}

/** What has to be so before the sample works. */
async function Needs({ app, guide: { redirectUri } }: { app: ApplicationWire; guide: Guide }) {
  const { quickStart: words, tab } = (await currentMessages()).admin.applications
  const base = `/admin/applications/${app.id}`
  const unknown = redirectUri !== null && !app.redirectUris.includes(redirectUri)
  const isPublic = app.authMethods.includes('none')
  if (!unknown && isPublic) return null
  return (
    <div className="grid gap-2 rounded-panel border border-line bg-raised px-5 py-4">
      {unknown && (
        <p>
          {fill(words.addRedirect, { uri: redirectUri })}{' '}
          <a href={`${base}/settings`} className="text-link">
            {words.toSettings}
          </a>
        </p>
      )}
      {!isPublic && (
        <p className="text-muted">
          {words.secretHint}{' '}
          <a href={`${base}/credentials`} className="text-link">
            {tab.credentials}
          </a>
        </p>
      )}
    </div>
  )
}
