import type { SpaceWire } from '../api/routes/spaces'
import type { AdminApi, Page, Query } from './api'

/** For choosing one: there are few, and a page of them is enough. */
export async function listSpaces(api: AdminApi): Promise<SpaceWire[]> {
  const { data } = await api.getPath<Page<SpaceWire>>('/spaces', { limit: 200, sort: 'name' })
  return data
}

/** How many there are of something that a list gives. */
export async function countIn(api: AdminApi, path: string, query: Query = {}): Promise<number> {
  const { page } = await api.getPath<Page<unknown>>(path, { ...query, limit: 1, count: true })
  return page.total ?? 0
}
