import { adminPage } from '@/lib/admin/api'
import { listPermissions } from '@/lib/api/permissions/permissions'
import { getResourceById } from '@/lib/api/permissions/resource-overview'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { op } from '@/lib/op'
import { guidesForApi } from '@/lib/quick-start'
import { chosenSample, Samples } from '../../../_ui/samples'
import { ApiFrame } from '../frame'

export const generateMetadata = pageTitle(({ admin }) => admin.apis.quickStartTab)

export default async function ApiQuickStartPage({ params, searchParams }: PageProps<'api'>) {
  const api = await adminPage('/admin/apis/[api]/quick-start')
  const { api: id } = await params
  const asked = (await searchParams).with
  const { apis: words } = (await currentMessages()).admin
  const resource = await api.get(getResourceById, { params: { id } })
  const { data: permissions } = await api.get(listPermissions, {
    params: { space: resource.space },
    query: { limit: 200, resource: resource.id },
  })
  const { issuer } = await op()
  const guides = guidesForApi(issuer, { ...resource, permissions })
  return (
    <ApiFrame api={api} resource={resource} tab="/quick-start">
      <p className="max-w-[54rem] text-muted">{words.quickStartIntro}</p>
      <Samples
        path={`/admin/apis/${resource.id}/quick-start`}
        guides={guides}
        chosen={chosenSample(guides, asked)}
      />
    </ApiFrame>
  )
}
