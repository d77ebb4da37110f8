import { Section } from '@/app/_ui/section'
import type { AdminApi } from '@/lib/admin/api'
import { listApplications } from '@/lib/api/applications/applications'
import { listAllResources } from '@/lib/api/permissions/resource-overview'
import type { ActivityWire } from '@/lib/api/records/activity'
import { listAuditEvents } from '@/lib/api/records/audit'
import { currentMessages } from '@/lib/browser/locale'
import { StateBadge } from '../_ui/state-badge'

type Props = { api: AdminApi; activity: ActivityWire }

/** From nothing to a token, each step on its own page and back here; gone once there was a token. */
export async function FirstSteps({ api, activity: shown }: Props) {
  const { steps: words } = (await currentMessages()).admin.overview
  const there = await whatIsThere(api, shown)
  if (!there || Object.values(there).every(Boolean)) return null
  const newApplication = '/admin/applications/new?kind=machine&from=steps'
  const steps = [
    { text: words.api, done: there.api, isOpen: true, href: '/admin/apis/new?from=steps' },
    { text: words.app, done: there.app, isOpen: true, href: newApplication },
    {
      text: words.token,
      done: there.token,
      isOpen: there.api && there.app,
      href: '/admin/first-token',
    },
  ]
  return (
    <Section title={words.title} text={words.text} id="first-steps">
      <ol className="grid divide-y divide-line">
        {steps.map(({ text, done, isOpen, href }, at) => (
          <li key={href} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <span aria-hidden="true" className="font-semibold text-muted tabular-nums">
              {at + 1}
            </span>
            <span className="min-w-0 flex-1">{text}</span>
            {done && <StateBadge tone="good">{words.done}</StateBadge>}
            {!done && !isOpen && <span className="text-muted text-small">{words.later}</span>}
            {!done && isOpen && (
              <a href={href} aria-label={`${words.go}: ${text}`} className="min-h-6 text-link">
                {words.go}
              </a>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Null for whoever may not do all of it. */
async function whatIsThere(api: AdminApi, shown: ActivityWire) {
  const needed = [
    'applications:write',
    'spaces:write',
    'resources:write',
    'permissions:write',
  ] as const
  if (!needed.every(api.may)) return null
  if (shown.days.some(({ tokens }) => tokens > 0)) return null
  const query = { limit: 1 }
  const issued = { ...query, event: 'token.issued' }
  return {
    api: (await api.get(listAllResources, { query })).data.length > 0,
    app:
      (await api.get(listApplications, { query: { ...query, kind: 'machine' } })).data.length > 0,
    token: (await api.get(listAuditEvents, { query: issued })).data.length > 0,
  }
}
