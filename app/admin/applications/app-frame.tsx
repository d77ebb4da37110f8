import { cache, type ReactNode } from 'react'
import type { AdminApi } from '@/lib/admin/api'
import { type ApplicationWire, getApplication } from '@/lib/api/applications/applications'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { EnabledBadge } from '../_ui/enabled'
import { AdminFrame } from '../_ui/frame'
import { StateBadge } from '../_ui/state-badge'
import { Tabs } from '../_ui/tabs'

const TABS = [
  ['overview', ''],
  ['quickStart', '/quick-start'],
  ['settings', '/settings'],
  ['credentials', '/credentials'],
  ['scopes', '/scopes'],
  ['claims', '/claims'],
  ['branding', '/branding'],
  ['consent', '/consent'],
  ['people', '/people'],
  ['refusals', '/refusals'],
  ['logs', '/logs'],
  ['danger', '/danger'],
] as const
type AppTab = (typeof TABS)[number][0]

/** A machine signs nobody in: nobody sees its face, and nobody agrees to it. */
const WITH_PEOPLE: ReadonlySet<AppTab> = new Set(['claims', 'branding', 'consent', 'people'])

/** Once for a page and its title. */
export const readApp = cache((api: AdminApi, id: string) =>
  // An ID may be an address; Next.js hands it over as it stands in the path.
  api.read(getApplication, { params: { id: decodeURIComponent(id) } }),
)

type Props = {
  api: AdminApi
  app: ApplicationWire
  tab: AppTab
  intro?: string
  done?: unknown
  children: ReactNode
}

/** The pages of one application. */
export async function AppFrame({ api, app, tab, intro, done, children }: Props) {
  const { admin } = await currentMessages()
  const { applications: words } = admin
  const base = `/admin/applications/${encodeURIComponent(app.id)}`
  const tabs = TABS.filter(([one]) => app.kind !== 'machine' || !WITH_PEOPLE.has(one))
    .filter(([one]) => one !== 'danger' || api.may('applications:write'))
    .filter(([one]) => one !== 'logs' || api.may('audit:read'))
    .map(([one, below]) => ({
      href: `${base}${below}`,
      label: words.tab[one],
      current: one === tab,
    }))
  return (
    <AdminFrame
      api={api}
      page="/admin/applications"
      title={app.name}
      above={{ href: '/admin/applications', label: words.title }}
      done={done}
      intro={
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <EnabledBadge enabled={app.enabled} />
          <StateBadge tone="quiet">{words.kinds[app.kind]}</StateBadge>
          <code className="code">{app.id}</code>
        </p>
      }
    >
      <Tabs label={words.tabs} tabs={tabs} />
      {intro && <p className="max-w-[46rem] text-muted">{intro}</p>}
      {children}
    </AdminFrame>
  )
}

/** The title of one of its pages, as the browser shows it. */
export function tabTitle(tab: AppTab) {
  return pageTitle(({ admin: { applications: words } }) => `${words.tab[tab]} · ${words.title}`)
}
