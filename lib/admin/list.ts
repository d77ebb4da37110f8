import type { SearchParams } from '../browser/page-props'

/** The query of a list page, from its URL: only parameters that the list knows, each once. */

/** The field takes no more; an address that was typed may have it. */
const MAX_SEARCH_LENGTH = 200

const PAGING = ['q', 'sort', 'cursor', 'limit'] as const

export type ListQuery = Readonly<Record<string, string>>

export function askedOf(params: SearchParams, filters: readonly string[] = []): ListQuery {
  const known = [...PAGING, ...filters].map((name) => [name, params[name]])
  const given = known.filter(([, value]) => typeof value === 'string' && value !== '')
  const asked = Object.fromEntries(given)
  return asked.q === undefined ? asked : { ...asked, q: asked.q.slice(0, MAX_SEARCH_LENGTH) }
}

/** Parameters that stay the same while searching, such as the space. */
export function keptOf(asked: ListQuery, filters: readonly string[]): ListQuery {
  const own: readonly string[] = [...PAGING, ...filters]
  return Object.fromEntries(Object.entries(asked).filter(([name]) => !own.includes(name)))
}
