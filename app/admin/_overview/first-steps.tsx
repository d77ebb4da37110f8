import { Section } from '@/app/_ui/section'
import type { AdminApi } from '@/lib/admin/api'
import { listApplications } from '@/lib/api/routes/applications'
import { listResources } from '@/lib/api/routes/resources'
import { listRoles } from '@/lib/api/routes/roles'
import { listSpaces } from '@/lib/api/routes/spaces'
import { currentMessages } from '@/lib/browser/locale'
import { StateBadge } from '../_ui/state-badge'

/** What an empty portal needs, in the order in which it makes sense; gone once it is all there. */
export async function FirstSteps({ api }: { api: AdminApi }) {
  const { steps: words } = (await currentMessages()).admin.overview
  const there = await whatIsThere(api)
  if (!there || Object.values(there).every(Boolean)) return null
  const steps = [
    { text: words.api, done: there.api, href: '/admin/apis' },
    { text: words.app, done: there.app, href: '/admin/applications' },
    { text: words.role, done: there.role, href: '/admin/roles' },
  ]
  return (
    <Section title={words.title} text={words.text}>
      <ol className="grid divide-y divide-line">
        {steps.map(({ text, done, href }, at) => (
          <li key={href} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <span aria-hidden="true" className="font-semibold text-muted tabular-nums">
              {at + 1}
            </span>
            <span className="min-w-0 flex-1">{text}</span>
            {done ? (
              <StateBadge tone="good">{words.done}</StateBadge>
            ) : (
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

const MOST_SPACES = 10

type Space = { space: string }

/** Null for whoever may not see all of it. */
async function whatIsThere(api: AdminApi) {
  const needed = ['applications:read', 'spaces:read', 'resources:read', 'roles:read'] as const
  if (!needed.every(api.may)) return null
  const query = { limit: 1 }
  const { data: spaces } = await api.get(listSpaces, { query: { limit: MOST_SPACES } })
  const inSomeSpace = async (list: (params: Space) => Promise<{ data: unknown[] }>) => {
    for (const { id: space } of spaces) if ((await list({ space })).data.length > 0) return true
    return false
  }
  return {
    api: await inSomeSpace((params) => api.get(listResources, { params, query })),
    app: (await api.get(listApplications, { query })).data.length > 0,
    role: await inSomeSpace((params) => api.get(listRoles, { params, query })),
  }
}
