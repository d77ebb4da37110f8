import type { AdminApi } from '@/lib/admin/api'
import { listSpaces } from '@/lib/api/permissions/spaces'

export type SpaceOf = { id: string; key: string; name: string }

const MAX = 200

export async function spacesOf(api: AdminApi): Promise<SpaceOf[]> {
  return (await api.get(listSpaces, { query: { limit: MAX } })).data
}

/** The one that the address names, else the first. */
export function chosenSpace(spaces: readonly SpaceOf[], name: unknown): SpaceOf | undefined {
  return spaces.find(({ id }) => id === name) ?? spaces[0]
}
