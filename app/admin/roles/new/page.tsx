import { redirect } from 'next/navigation'
import { type AdminApi, adminPage, withQuery } from '@/lib/admin/api'
import { listSpaces } from '@/lib/admin/spaces'
import { getSpace, type SpaceWire } from '@/lib/api/permissions/spaces'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { CreatePage } from '../../_ui/create-page'
import { createRole } from '../actions'
import { RoleFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.rolePages.newTitle)

export default async function NewRolePage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/roles/new')
  const { space: named } = await searchParams
  const { admin } = await currentMessages()
  const { rolePages: words } = admin
  const space = await spaceNamed(api, named)
  if (!space) redirect('/admin/roles')
  const above = withQuery('/admin/roles', { space: space.key })
  return (
    <CreatePage
      api={api}
      page="/admin/roles"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: above, label: `${words.title} · ${space.name}` }}
      action={createRole}
      hidden={{ space: space.id }}
    >
      <RoleFields api={api} space={space.id} />
    </CreatePage>
  )
}

/** The first, where the address names none. */
async function spaceNamed(
  api: AdminApi,
  named: string | string[] | undefined,
): Promise<SpaceWire | undefined> {
  if (typeof named === 'string') return api.get(getSpace, { params: { space: named } })
  return (await listSpaces(api))[0]
}
