import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import type { PortalScope } from '@/lib/access/portal-api'
import { type AdminApi, adminPage, type Page, withQuery } from '@/lib/admin/api'
import { COUNT_ONLY, totalOf } from '@/lib/admin/spaces'
import { listAssignments } from '@/lib/api/permissions/assignments'
import { listPermissions } from '@/lib/api/permissions/permissions'
import { listResources } from '@/lib/api/permissions/resources'
import { listRoles } from '@/lib/api/permissions/roles'
import { getSpace, type SpaceWire } from '@/lib/api/permissions/spaces'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { Deletion } from '../../../_ui/danger'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { deleteSpace, saveSpace } from '../actions'
import { SpaceFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.spaces.title)

export default async function SpacePage({ params, searchParams }: PageProps<'space'>) {
  const api = await adminPage('/admin/roles/spaces/[space]')
  const { space: named } = await params
  const { done } = await searchParams
  const { spaces: words } = (await currentMessages()).admin
  const { body: space, version } = await api.read(getSpace, { params: { space: named } })
  const hidden = { id: space.id, version: version ?? '' }
  const counts = await contentsOf(api, space)
  const mayWrite = api.may('spaces:write')
  return (
    <AdminFrame
      api={api}
      page="/admin/roles"
      title={space.name}
      above={{ href: '/admin/roles/spaces', label: words.title }}
      done={done}
    >
      <Contents space={space} counts={counts} />
      {mayWrite && (
        <Section title={words.renameTitle}>
          <div className="max-w-[38rem]">
            <AdminForm action={saveSpace} words={await formWords('save')} hidden={hidden}>
              <SpaceFields space={space} />
            </AdminForm>
          </div>
        </Section>
      )}
      {mayWrite && (
        <Deletion
          action={deleteSpace}
          words={{ ...words, danger: fill(words.danger, counts) }}
          name={space.name}
          hidden={hidden}
        />
      )}
    </AdminFrame>
  )
}

type Counts = Awaited<ReturnType<typeof contentsOf>>

/** What a reader may not count is a dash. */
async function contentsOf(api: AdminApi, { id }: SpaceWire) {
  const inSpace = { params: { space: id }, query: COUNT_ONLY }
  const count = async (scope: PortalScope, list: () => Promise<Page<unknown>>) =>
    api.may(scope) ? String(totalOf(await list())) : '–'
  const [apis, items, roles, assignments] = await Promise.all([
    count('resources:read', () => api.get(listResources, inSpace)),
    count('permissions:read', () => api.get(listPermissions, inSpace)),
    count('roles:read', () => api.get(listRoles, inSpace)),
    count('assignments:read', () => api.get(listAssignments, inSpace)),
  ])
  return { apis, items, roles, assignments }
}

async function Contents({ space, counts }: { space: SpaceWire; counts: Counts }) {
  const { spaces: words } = (await currentMessages()).admin
  const at = { space: space.key }
  return (
    <Section title={words.contents}>
      <Facts>
        <Fact term={words.apis}>{counts.apis}</Fact>
        <Fact term={words.items}>{counts.items}</Fact>
        <Fact term={words.roles}>{counts.roles}</Fact>
        <Fact term={words.assignments}>{counts.assignments}</Fact>
      </Facts>
      <div className="flex flex-wrap gap-x-6">
        <QuietLink href={withQuery('/admin/roles', at)}>{words.showRoles}</QuietLink>
        <QuietLink href={withQuery('/admin/apis', at)}>{words.showApis}</QuietLink>
        <QuietLink href={`/admin/roles/spaces/${space.id}/model`}>{words.modelLink}</QuietLink>
      </div>
    </Section>
  )
}
