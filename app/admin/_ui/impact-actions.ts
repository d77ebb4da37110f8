'use server'

import { adminApi } from '@/lib/admin/api'
import type { ImpactChange } from '@/lib/api/impact/change'
import { type ImpactWire, previewImpact } from '@/lib/api/impact/routes'

/** The next part of a preview; null if it can no longer be made. */
export async function nextImpact(
  space: string,
  change: ImpactChange,
  after: string,
): Promise<ImpactWire | null> {
  const api = await adminApi()
  const params = { space: String(space) }
  const part = await api.send(previewImpact, { params, body: { change, after } })
  return part.ok ? part.body : null
}
