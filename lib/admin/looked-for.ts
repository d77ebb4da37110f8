import { type ErrorMessage, errorMessage } from '../i18n/error-message'
import { ADMIN_PAGES } from './pages'

/** What somebody looked for who came to an address where nothing is. */

const NOT_THERE = {
  app: 'no_application',
  key: 'no_access_key',
  api: 'no_api',
  client: 'no_application',
  role: 'no_role',
  assignment: 'no_assignment',
  grant: 'no_grant',
  space: 'no_space',
  user: 'no_user',
  group: 'no_group',
  assertion: 'no_assertion',
  kid: 'no_key',
  entry: 'no_entry',
  webhook: 'no_webhook',
  provider: 'no_provider',
  attribute: 'no_attribute',
  review: 'no_review',
} as const

type Named = keyof typeof NOT_THERE

/** Null for an address that is no page. The last name in it is what was looked for. */
export function lookedFor(path: string): ErrorMessage | null {
  const parts = (path.split('?')[0] ?? '').split('/')
  const page = Object.keys(ADMIN_PAGES).find((one) => fits(one.split('/'), parts))
  const at = page?.split('/').findLastIndex((part) => part.startsWith('[')) ?? -1
  const name = page?.split('/')[at]?.slice(1, -1) ?? ''
  const code = Object.hasOwn(NOT_THERE, name) ? NOT_THERE[name as Named] : null
  return code && errorMessage(code, { id: decoded(parts[at] ?? '') })
}

function fits(page: readonly string[], parts: readonly string[]): boolean {
  if (page.length !== parts.length) return false
  return page.every((part, at) => part === parts[at] || (part.startsWith('[') && parts[at] !== ''))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
