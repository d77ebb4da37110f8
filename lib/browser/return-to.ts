import { paths } from '../oidc/paths'
import type { SearchParams } from './page-props'

const MAX_LENGTH = 4096
const OWN_ORIGIN = 'https://own.invalid'
// biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop tabs and newlines
const SLIPPERY = /[\u0000-\u0020\u007f\\]/

/** A path on this portal, or `/` for anything that could lead away from it (RFC 9700 §4.11). */
export function safeReturnTo(value: string | null): string {
  if (value === null || value.length > MAX_LENGTH) return '/'
  if (!value.startsWith('/') || SLIPPERY.test(value)) return '/'
  if (!staysLocalWhenDecoded(value)) return '/'
  return reparse(value) ?? '/'
}

function staysLocalWhenDecoded(value: string): boolean {
  const path = value.split(/[?#]/, 1)[0] ?? ''
  try {
    const decoded = decodeURIComponent(path)
    return !decoded.startsWith('//') && !SLIPPERY.test(decoded)
  } catch {
    return false
  }
}

function reparse(value: string): string | null {
  if (!URL.canParse(value, OWN_ORIGIN)) return null
  const url = new URL(value, OWN_ORIGIN)
  // `/.//evil` is normalised to the path `//evil`, which a browser reads as a host.
  if (url.origin !== OWN_ORIGIN || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

const RESUMED = new RegExp(`^${paths.authorize}/(int_[^/?#]+)$`)

/** The ID of the authorization request that is resumed there. */
export function interactionIn(returnTo: string): string | undefined {
  return RESUMED.exec(returnTo)?.[1]
}

/** A page of the portal that passes on where the user was going. */
export function returningTo(path: string, returnTo: string): string {
  return returnTo === '/' ? path : `${path}?returnTo=${encodeURIComponent(returnTo)}`
}

/**
 * Where a form leads that the browser itself has sent: by an intermediate page, because Chromium
 * applies `form-action 'self'` to every redirect after a POST, and a later one may lead to the
 * application (attack M18).
 */
export function afterForm(goTo: string): string {
  return goTo.startsWith('/oidc/') ? `/login/continue?to=${encodeURIComponent(goTo)}` : goTo
}

export function returnToOf({ returnTo }: SearchParams): string {
  return safeReturnTo(typeof returnTo === 'string' ? returnTo : null)
}
