import * as spaces from '../api/permissions/spaces'
import type { AdminApi, Page } from './api'

/** For lists that are only counted. */
export const COUNT_ONLY = { limit: 1, count: true } as const

/** For a choice of one: there are few, and one page of them is enough. */
export async function listSpaces(api: AdminApi): Promise<spaces.SpaceWire[]> {
  const { data } = await api.get(spaces.listSpaces, { query: { limit: 200, sort: 'name' } })
  return data
}

export function totalOf({ page }: Pick<Page<unknown>, 'page'>): number {
  return page.total ?? 0
}
