import { Section } from '@/app/_ui/section'
import { type AdminApi, withQuery } from '@/lib/admin/api'
import { approvalText } from '@/lib/admin/approval-text'
import type { StepWire } from '@/lib/api/decision/decision'
import { effectivePermissions } from '@/lib/api/permissions/decisions'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Rows } from '../_ui/rows'

type Props = { api: AdminApi; user: string; name: string; instance: string | undefined }

/** All that somebody may do; each leads to its own path. */
export async function Everything({ api, user, name, instance }: Props) {
  const { why: words, path } = (await currentMessages()).admin.access
  const clock = await currentClock()
  const sourceOf = ({ roles = [], request }: StepWire) =>
    request ? `${path.request} · ${approvalText(request, path, clock)}` : roles.join(' → ')
  const query = { include: 'sources', instance }
  const { data } = await api.get(effectivePermissions, { params: { user }, query })
  return (
    <Section title={fill(words.effective, { user: name })} text={words.effectiveText}>
      <Rows none={words.effectiveNone}>
        {data.map(({ permission, depends, sources = [] }) => ({
          key: permission,
          title: <code className="code">{permission}</code>,
          facts: [
            ...(depends === null ? [] : [[words.depends, ''] as const]),
            ...[...new Set(sources.map(sourceOf))].map((source) => [source, ''] as const),
          ],
          action: (
            <a
              href={withQuery('/admin/why', { user, permission, instance })}
              aria-label={`${words.explain} ${permission}`}
              className="inline-flex min-h-9 items-center text-link text-small"
            >
              {words.explain}
            </a>
          ),
        }))}
      </Rows>
    </Section>
  )
}
