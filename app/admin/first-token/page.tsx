import { LinkButton } from '@/app/_ui/link-button'
import { worded } from '@/app/_ui/worded'
import { patternCovers } from '@/lib/access/pattern'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { listSpaces } from '@/lib/admin/spaces'
import { listApplications } from '@/lib/api/applications/applications'
import { getApplicationGrants } from '@/lib/api/applications/grants'
import { listPermissions, type PermissionWire } from '@/lib/api/permissions/permissions'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import { AdminForm, Select } from '../_ui/form'
import { AdminFrame } from '../_ui/frame'
import { fetchToken } from './actions'
import { Fetched, Permissions } from './form'

export const generateMetadata = pageTitle(({ admin }) => admin.firstToken.title)

const MAX = 20

/** The last of the first steps: a real token, and the command that fetched it. */
export default async function FirstTokenPage() {
  const api = await adminPage('/admin/first-token')
  const { admin, common } = await currentMessages()
  const { firstToken: words } = admin
  const query = { kind: 'machine', limit: MAX, sort: '-createdAt' }
  const { data: applications } = await api.get(listApplications, { query })
  const [first] = applications
  const permissions = await grantable(api)
  return (
    <AdminFrame
      api={api}
      page="/admin"
      title={words.title}
      intro={words.intro}
      above={{ href: '/admin', label: words.back }}
    >
      {first && permissions.length > 0 ? (
        <div className="max-w-[46rem]">
          <AdminForm
            action={fetchToken}
            words={{ submit: words.submit, busy: words.submitting, problem: common.problem }}
            made={<Fetched words={words} common={common} />}
          >
            <Select
              {...worded(words, 'application')}
              options={applications.map(({ id, name }) => [id, `${name} (${id})`])}
            />
            <Permissions words={words} permissions={await choices(api, first.id, permissions)} />
          </AdminForm>
        </div>
      ) : (
        <div className="grid gap-4">
          <p>{words.noApplication}</p>
          <div>
            <LinkButton href="/admin">{words.back}</LinkButton>
          </div>
        </div>
      )}
    </AdminFrame>
  )
}

/** What an application can have without a user. */
async function grantable(api: AdminApi): Promise<PermissionWire[]> {
  const found: PermissionWire[] = []
  for (const { id: space } of await listSpaces(api)) {
    const { data } = await api.get(listPermissions, { params: { space }, query: { limit: MAX } })
    found.push(...data.filter(({ userBound, needsRole }) => !userBound && !needsRole))
    if (found.length >= MAX) break
  }
  return found.slice(0, MAX)
}

/** What the newest application holds is ticked; if it holds nothing, the first of all. */
async function choices(api: AdminApi, id: string, permissions: readonly PermissionWire[]) {
  const locale = await currentLocale()
  const { grants } = await api.get(getApplicationGrants, { params: { id } })
  const allowed = grants.filter(({ effect }) => effect === 'allow')
  const isHeld = (key: string) => allowed.some(({ pattern }) => patternCovers(pattern, key))
  const any = permissions.some(({ key }) => isHeld(key))
  return permissions.map(({ key, descriptions }, at) => ({
    key,
    text: descriptions[locale] ?? descriptions.en ?? '',
    isTicked: any ? isHeld(key) : at === 0,
  }))
}
