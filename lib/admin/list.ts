/** What a list's page is asked for, from its address: only what the list knows, and only once. */

export type SearchParams = Record<string, string | string[] | undefined>

const PAGING = ['q', 'sort', 'cursor', 'limit'] as const

export type Asked = Readonly<Record<string, string>>

export function askedOf(params: SearchParams, filters: readonly string[] = []): Asked {
  const known = [...PAGING, ...filters].map((name) => [name, params[name]])
  return Object.fromEntries(known.filter(([, value]) => typeof value === 'string' && value !== ''))
}

/** What belongs to the list whatever is searched for in it, such as its space. */
export function keptOf(asked: Asked, filters: readonly string[]): Asked {
  const own: readonly string[] = [...PAGING, ...filters]
  return Object.fromEntries(Object.entries(asked).filter(([name]) => !own.includes(name)))
}
