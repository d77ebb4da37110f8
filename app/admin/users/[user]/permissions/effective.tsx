import { Section } from '@/app/_ui/section'
import { type AdminApi, withQuery } from '@/lib/admin/api'
import { approvalHref, approvalText } from '@/lib/admin/approval-text'
import { type EffectivePermission, effectivePermissions } from '@/lib/api/permissions/decisions'
import type { GroupOf } from '@/lib/api/users/user-memberships'
import type { UserWire } from '@/lib/api/users/users'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { ShowMore } from '../../../_ui/shown-part'

type Props = { api: AdminApi; user: UserWire; groups: GroupOf[]; shown: number }

/** Everything that somebody may do, and by which role. */
export async function Effective({ api, user, groups, shown }: Props) {
  const { permissions: words } = (await currentMessages()).admin.users
  if (!api.may('permissions:explain')) return null
  const { data } = await api.get(effectivePermissions, {
    params: { user: user.id },
    query: { include: 'sources' },
  })
  if (data.length === 0) return <Nothing title={words.effective} text={words.effectiveNone} />
  const sourceOf = (permission: string, { roles: chain = [], group, pattern }: Source) => {
    const through = group && fill(words.byGroup, { group: groupName(groups, group) })
    const wider = pattern !== permission && pattern
    return [chain.join(' → '), through, wider].filter(Boolean).join(' · ')
  }
  return (
    <Section id="permissions" title={words.effective} text={words.effectiveText}>
      <table className="w-full border-collapse text-start max-md:block">
        <thead className="text-muted text-small max-md:sr-only">
          <tr>
            <th scope="col" className="py-1 text-start">
              {words.permission}
            </th>
            <th scope="col" className="py-1 text-start">
              {words.source}
            </th>
            <td />
          </tr>
        </thead>
        <tbody className="max-md:block">
          {data.slice(0, shown).map(({ permission, depends, sources = [] }) => (
            <tr key={permission} className="border-line border-t align-top max-md:grid max-md:py-2">
              <th scope="row" className="py-2 pe-6 text-start font-normal max-md:py-0">
                <code className="code">{permission}</code>
                {depends !== null && (
                  <span className="block text-muted text-small">{dependsIn(words, depends)}</span>
                )}
              </th>
              <td className="py-2 pe-6 text-small [overflow-wrap:anywhere] max-md:py-0">
                {[...new Set(sources.map((one) => sourceOf(permission, one)))]
                  .filter(Boolean)
                  .map((source) => (
                    <span key={source} className="block">
                      {source}
                    </span>
                  ))}
                {sources.map(
                  ({ grant, request }) => request && <Approval key={grant} request={request} />,
                )}
              </td>
              <td className="py-2 text-end max-md:py-0 max-md:text-start">
                <a
                  href={withQuery('/admin/why', { user: user.id, permission })}
                  aria-label={`${words.why} ${permission}`}
                  className="text-link text-small"
                >
                  {words.why}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ShowMore
        total={data.length}
        shown={shown}
        path={`/admin/users/${user.id}/permissions`}
        name="permissions"
      />
    </Section>
  )
}

function Nothing({ title, text }: { title: string; text: string }) {
  return (
    <Section title={title}>
      <p className="text-muted">{text}</p>
    </Section>
  )
}

async function Approval({ request }: { request: NonNullable<Source['request']> }) {
  const { path: words } = (await currentMessages()).admin.access
  return (
    <span className="block">
      <a href={approvalHref(request)} className="text-link">
        {words.request}
      </a>
      {` · ${approvalText(request, words, await currentClock())}`}
    </span>
  )
}

type Source = NonNullable<EffectivePermission['sources']>[number]

function groupName(groups: GroupOf[], id: string): string {
  return groups.find((group) => group.id === id)?.name ?? id
}

function dependsIn({ depends }: { depends: Record<string, string> }, code: string): string {
  return depends[code] ?? code
}
