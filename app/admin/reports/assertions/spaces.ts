import type { AdminApi, Page } from '@/lib/admin/api'

export type SpaceOf = { id: string; key: string; name: string }

const MOST = 200

export async function spacesOf(api: AdminApi): Promise<SpaceOf[]> {
  return (await api.getPath<Page<SpaceOf>>('/spaces', { limit: MOST })).data
}

/** The one that the address names, else the first. */
export function chosenSpace(spaces: readonly SpaceOf[], name: unknown): SpaceOf | undefined {
  return spaces.find(({ id }) => id === name) ?? spaces[0]
}
