import type { AdminApi } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import type { GrantsWire } from '@/lib/api/applications/grants'

export type Grant = GrantsWire['grants'][number]

/** What an application holds, and the version that was seen. */
export type ApplicationGrants = {
  api: AdminApi
  app: ApplicationWire
  grants: Grant[]
  version: string
}
