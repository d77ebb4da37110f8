import { LinkButton } from '@/app/_ui/link-button'
import { SearchBox } from '@/app/_ui/search-box'
import { Section } from '@/app/_ui/section'
import { adminPage, type VersionedBody } from '@/lib/admin/api'
import type { GrantWire } from '@/lib/api/permissions/grants'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import { listRolePermissions } from '@/lib/api/permissions/role-permissions'
import type { RoleWire } from '@/lib/api/permissions/roles'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { Empty } from '../../../_ui/empty'
import { AdminForm, Ticks } from '../../../_ui/form'
import { ImpactPreview } from '../../../_ui/impact-preview'
import { impactWords } from '../../../_ui/impact-words'
import { Terms } from '../../../_ui/terms'
import { RoleFrame } from '../frame'
import { takePermissions } from './actions'
import { Tick } from './tick'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.permissionsTab)

const MAX_SHOWN = 200
const WORTH_SEARCHING = 20

export default async function RolePermissionsPage({ params, searchParams }: PageProps<'role'>) {
  const api = await adminPage('/admin/roles/[role]/permissions')
  const { role: id } = await params
  const { q, done } = await searchParams
  const { rolePages: words } = (await currentMessages()).admin
  const role = await api.get(getRoleById, { params: { role: id } })
  const path = `/admin/roles/${role.id}/permissions`
  const seen = await api.read(listRolePermissions, {
    params: { space: role.space, role: role.id },
  })
  const asked = typeof q === 'string' ? q.trim() : ''
  const { permissions } = seen.body
  const found = permissions.filter(({ pattern }) => pattern.includes(asked))
  const mayWrite = api.may('roles:write')
  const add = mayWrite && <LinkButton href={`${path}/add`}>{words.addPermissions}</LinkButton>
  return (
    <RoleFrame api={api} role={role} tab="/permissions" done={done} action={add}>
      {permissions.length === 0 ? (
        <Empty title={words.permissionsEmptyTitle} text={words.permissionsEmpty}>
          {add}
        </Empty>
      ) : (
        <Section title={words.permissionsTab} text={words.permissionsText}>
          {permissions.length > WORTH_SEARCHING && (
            <SearchBox path={path} label={words.search} q={asked} />
          )}
          {mayWrite ? (
            <Takeable role={role} seen={seen} grants={found.slice(0, MAX_SHOWN)} />
          ) : (
            <ul className="grid gap-3">
              {found.slice(0, MAX_SHOWN).map((grant) => (
                <li key={grant.id} className="border-line border-t pt-3">
                  <GrantLine grant={grant} />
                </li>
              ))}
            </ul>
          )}
          {found.length > MAX_SHOWN && (
            <p className="text-muted">
              {fill(words.notShown, { count: String(found.length - MAX_SHOWN) })}
            </p>
          )}
        </Section>
      )}
    </RoleFrame>
  )
}

type TakeableProps = {
  role: RoleWire
  seen: VersionedBody<unknown>
  grants: readonly GrantWire[]
}

async function Takeable({ role, seen: { version }, grants }: TakeableProps) {
  const { rolePages: words, impact } = (await currentMessages()).admin
  const own = { ...(await impactWords('save')), submit: words.take }
  return (
    <AdminForm
      action={takePermissions}
      words={own}
      hidden={{ id: role.id, version: version ?? '' }}
    >
      <Ticks name="take">
        <ul className="grid gap-3">
          {grants.map((grant) => (
            <li
              key={grant.id}
              className="flex flex-wrap items-start gap-x-3 gap-y-1 border-line border-t pt-3"
            >
              <Tick value={grant.id} label={fill(words.tick, { pattern: grant.pattern })} />
              <div className="min-w-0 flex-1 basis-56">
                <GrantLine grant={grant} />
              </div>
              <a
                href={`/admin/roles/${role.id}/permissions/${grant.id}`}
                aria-label={fill(words.changeNamed, { pattern: grant.pattern })}
                className="inline-flex min-h-7 items-center text-link text-small"
              >
                {words.change}
              </a>
            </li>
          ))}
        </ul>
      </Ticks>
      <ImpactPreview words={impact} />
    </AdminForm>
  )
}

function GrantLine({ grant }: { grant: GrantWire }) {
  return (
    <div className="grid gap-0.5">
      <code className="font-mono font-semibold [overflow-wrap:anywhere]">{grant.pattern}</code>
      <Terms terms={grant} />
    </div>
  )
}
