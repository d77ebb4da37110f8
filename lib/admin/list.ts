import type { AdminApi, Page, Query } from './api'

/** What a list's page is asked for, from its address: only what the list knows, and only once. */

export type SearchParams = Record<string, string | string[] | undefined>

const PAGING = ['q', 'sort', 'cursor', 'limit'] as const

export type Asked = Readonly<Record<string, string>>

export function askedOf(params: SearchParams, filters: readonly string[] = []): Asked {
  const known = [...PAGING, ...filters].map((name) => [name, params[name]])
  return Object.fromEntries(known.filter(([, value]) => typeof value === 'string' && value !== ''))
}

export function listPage<T>(
  api: AdminApi,
  path: string,
  asked: Asked,
  fixed: Query = {},
): Promise<Page<T>> {
  return api.get<Page<T>>(path, { count: true, ...asked, ...fixed })
}
