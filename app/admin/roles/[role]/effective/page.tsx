import { SearchBox } from '@/app/_ui/search-box'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { hasTerms } from '@/lib/admin/terms'
import {
  type GivenWire,
  getRoleById,
  roleEffectivePermissions,
} from '@/lib/api/permissions/role-overview'
import type { RoleWire } from '@/lib/api/permissions/roles'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { StateBadge } from '../../../_ui/state-badge'
import { Terms } from '../../../_ui/terms'
import { RoleFrame } from '../frame'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.effectiveTab)

const MAX_SHOWN = 200

export default async function EffectivePage({ params, searchParams }: PageProps<'role'>) {
  const api = await adminPage('/admin/roles/[role]/effective')
  const { role: id } = await params
  const { q } = await searchParams
  const { rolePages: words } = (await currentMessages()).admin
  const role = await api.get(getRoleById, { params: { role: id } })
  const { data } = await api.get(roleEffectivePermissions, { params: { role: role.id } })
  const asked = typeof q === 'string' ? q : ''
  const found = data.filter(({ permission }) => permission.includes(asked.trim()))
  return (
    <RoleFrame api={api} role={role} tab="/effective">
      <Section title={words.effectiveTab} text={words.effectiveText}>
        {data.length === 0 ? (
          <p className="text-muted">{words.effectiveEmpty}</p>
        ) : (
          <>
            <SearchBox path={`/admin/roles/${role.id}/effective`} label={words.search} q={asked} />
            <ul className="grid gap-3">
              {found.slice(0, MAX_SHOWN).map((given) => (
                <Given key={given.permission} given={given} role={role} words={words} />
              ))}
            </ul>
            {found.length > MAX_SHOWN && (
              <p className="text-muted">
                {fill(words.notShown, { count: String(found.length - MAX_SHOWN) })}
              </p>
            )}
          </>
        )}
      </Section>
    </RoleFrame>
  )
}

const TONES = { held: 'good', denied: 'bad', depends: 'quiet', not_now: 'quiet' } as const

type GivenProps = { given: GivenWire; role: RoleWire; words: Messages['admin']['rolePages'] }

function Given({ given: { permission, gives, sources }, role, words }: GivenProps) {
  return (
    <li className="grid gap-1 border-line border-t pt-3">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="font-mono font-semibold [overflow-wrap:anywhere]">{permission}</code>
        <StateBadge tone={TONES[gives]}>{words.gives[gives]}</StateBadge>
      </span>
      {sources.map((source) => (
        <span key={source.grant} className="flex flex-wrap items-baseline gap-x-3 text-small">
          <span>
            {words.from}{' '}
            {source.roles.map((key) => (key === role.key ? words.itself : key)).join(' → ')}
          </span>
          {source.pattern !== permission && (
            <span className="text-muted">{fill(words.via, { pattern: source.pattern })}</span>
          )}
          {hasTerms(source) && <Terms terms={source} />}
        </span>
      ))}
    </li>
  )
}
