import { type ConnectedApp, listConnectedApps } from '@/lib/accounts/connected-apps'
import { changesWaitingFor } from '@/lib/api/mcp/confirmation'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { WaitingChanges } from '../changes/waiting'
import { AccountFrame } from '../frame'
import { App } from './app'

export const generateMetadata = pageTitle(({ account }) => account.apps.title)

export default async function AppsPage({ searchParams }: PageProps) {
  const session = await requireUser()
  const { done } = await searchParams
  const { apps: words } = (await currentMessages()).account
  const portal = await op()
  const all = await listConnectedApps(portal, session)
  const changes = await changesWaitingFor(portal, session.user.id)
  const agents = all.filter(({ agent }) => agent !== null)
  const apps = all.filter(({ agent }) => agent === null)
  return (
    <AccountFrame page="apps" title={words.title} intro={words.intro} done={done}>
      <WaitingChanges changes={changes} />
      {all.length === 0 && <p className="text-muted">{words.none}</p>}
      {agents.length > 0 && (
        <Group id="agents" title={words.agents} text={words.agentsText} apps={agents} />
      )}
      {agents.length > 0 && apps.length > 0 ? (
        <Group id="applications" title={words.applications} apps={apps} />
      ) : (
        apps.map((app) => <App key={app.id} app={app} />)
      )}
    </AccountFrame>
  )
}

type GroupProps = { id: string; title: string; text?: string; apps: ConnectedApp[] }

function Group({ id, title, text, apps }: GroupProps) {
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <div className="grid gap-1">
        <h2 id={id} className="display text-lead">
          {title}
        </h2>
        {text && <p className="text-muted">{text}</p>}
      </div>
      {apps.map((app) => (
        <App key={app.id} app={app} />
      ))}
    </section>
  )
}
