import type { AdminApi } from '@/lib/admin/api'
import type { GrantsWire } from '@/lib/api/routes/application-grants'
import type { ApplicationWire } from '@/lib/api/routes/applications'

export type Grant = GrantsWire['grants'][number]

/** What an application holds, and the version that was seen. */
export type Holding = { api: AdminApi; app: ApplicationWire; grants: Grant[]; version: string }
