import type { Application } from './client'

/**
 * Where an application may be answered. Pure and small: the same rules check a form while somebody
 * types and the registration itself. Addresses are later compared byte for byte, so kept as typed.
 */

export type AddressFault =
  | 'long'
  | 'wildcard'
  | 'fragment'
  | 'characters'
  | 'credentials'
  | 'insecure'
  | 'origin'

/** What the API says; the pages have words of their own in each language. */
export const FAULT_DETAILS: Readonly<Record<AddressFault, string>> = {
  long: 'the URI is too long',
  wildcard: 'a whole URI: a wildcard would send codes to addresses that nobody has named',
  fragment: 'a whole URI without a fragment: the part after # never reaches a server',
  characters: 'a whole URI, such as https://app.example.com/callback, without spaces',
  credentials: 'a URI without a name or a password before the @: browsers hide them',
  insecure: 'https, or http to this machine (localhost, 127.0.0.1, [::1])',
  origin: 'an origin such as https://app.example.com, without a path',
}

const LONGEST_URI = 1_500
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/
/** RFC 3986 characters, and not `*`: a wildcard would be somebody's open door. */
const PLAIN_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/
/** RFC 8252 §7.1: a domain name of the app's, backwards. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:/i

export function redirectFault(uri: string, kind: Application['kind']): AddressFault | null {
  if (uri.length > LONGEST_URI) return 'long'
  if (!PLAIN_URI.test(uri)) return whyNotPlain(uri)
  // Of the right characters and yet none: a port above 65535, a bracket that is not closed.
  if (!URL.canParse(uri)) return 'characters'
  if (holdsCredentials(uri)) return 'credentials'
  if (LOOPBACK.test(uri)) return null
  if (kind === 'native' && PRIVATE_SCHEME.test(uri)) return null
  return isHttps(uri) ? null : 'insecure'
}

function whyNotPlain(uri: string): AddressFault {
  if (uri.includes('*')) return 'wildcard'
  return uri.includes('#') ? 'fragment' : 'characters'
}

export function originFault(origin: string): AddressFault | null {
  const whole = URL.canParse(origin) && new URL(origin).origin === origin
  if (whole && (origin.startsWith('https://') || LOOPBACK.test(origin))) return null
  return 'origin'
}

function isHttps(uri: string): boolean {
  if (!/^https:\/\/[^/]/.test(uri) || !URL.canParse(uri)) return false
  return new URL(uri).host !== '' && !holdsCredentials(uri)
}

/** Whatever the scheme: a private one has an authority too where two slashes follow it. */
function holdsCredentials(uri: string): boolean {
  const { username, password } = new URL(uri)
  return username !== '' || password !== ''
}

/** As typed, without spaces, wildcards, a fragment or somebody's password. */
export function isPlainHttps(uri: string): boolean {
  return uri.length <= LONGEST_URI && PLAIN_URI.test(uri) && isHttps(uri)
}

export function isPlainLoopback(uri: string): boolean {
  return uri.length <= LONGEST_URI && PLAIN_URI.test(uri) && LOOPBACK.test(uri) && URL.canParse(uri)
}
