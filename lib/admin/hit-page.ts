import type { HitWire, SearchKind } from '../api/records/search'

const FOLDERS: Record<SearchKind, string> = {
  application: 'applications',
  user: 'users',
  group: 'groups',
  role: 'roles',
  api: 'apis',
  permission: 'apis',
  space: 'roles/spaces',
  webhook: 'webhooks',
  provider: 'settings/providers',
  attribute: 'settings/attributes',
}

/** The page of a search result; a permission is on the page of its API. */
export function pageOfHit({ kind, id, within }: Pick<HitWire, 'kind' | 'id' | 'within'>): string {
  const page = `/admin/${FOLDERS[kind]}`
  if (kind !== 'permission') return `${page}/${encodeURIComponent(id)}`
  return `${page}/${encodeURIComponent(within ?? '')}?q=${encodeURIComponent(id)}`
}
