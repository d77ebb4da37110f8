import type { Application } from './client'

/**
 * Rules for redirect URIs. Pure and small: the same rules check a form while somebody types and the
 * registration itself. Addresses are compared byte for byte later, so they are stored as typed.
 */

export type AddressFault =
  | 'long'
  | 'wildcard'
  | 'fragment'
  | 'characters'
  | 'credentials'
  | 'insecure'
  | 'scheme'
  | 'origin'

const MAX_URI_LENGTH = 1_500
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/
/** RFC 3986 characters without `*`: a wildcard would be an open redirect. */
const PLAIN_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/
/** RFC 8252 §7.1: a domain name of the application in reverse order. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:/i

export function redirectFault(uri: string, kind: Application['kind']): AddressFault | null {
  if (uri.length > MAX_URI_LENGTH) return 'long'
  if (!PLAIN_URI.test(uri)) return whyNotPlain(uri)
  // Allowed characters but not a URL: a port above 65535, or a bracket that is not closed.
  if (!URL.canParse(uri)) return 'characters'
  if (holdsCredentials(uri)) return 'credentials'
  if (LOOPBACK.test(uri)) return null
  if (kind === 'native' && PRIVATE_SCHEME.test(uri)) return null
  if (isHttps(uri)) return null
  return kind === 'native' && !/^https?:/i.test(uri) ? 'scheme' : 'insecure'
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

/** What was sent, the registered address that is most like it, and where the two part. */
export function nearestOf(registered: readonly string[], given: string) {
  const [nearest = null] = [...registered].sort(
    (a, b) => sharedStart(b, given) - sharedStart(a, given),
  )
  return { nearest, at: nearest === null ? 0 : sharedStart(nearest, given) }
}

/** Which characters differ: what was sent has `extra` where the registered address has `lacking`. */
export function differenceOf(given: string, registered: string) {
  const at = sharedStart(given, registered)
  const [givenEnd, registeredEnd] = [given.slice(at), registered.slice(at)]
  const same = sharedEnd(givenEnd, registeredEnd)
  const extra = givenEnd.slice(0, givenEnd.length - same)
  const lacking = registeredEnd.slice(0, registeredEnd.length - same)
  const kind = lacking === '' ? 'extra' : extra === '' ? 'lacking' : 'other'
  return { at, extra, lacking, kind } as const
}

function sharedEnd(a: string, b: string): number {
  let length = 0
  while (length < Math.min(a.length, b.length) && a.at(-1 - length) === b.at(-1 - length))
    length += 1
  return length
}

function sharedStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

/**
 * The browser origins that these addresses lead back to. One with a private scheme has none: `null`
 * is the origin of every sandboxed page.
 */
export function originsOf(redirectUris: readonly string[]): string[] {
  const web = redirectUris.filter((uri) => /^https?:/i.test(uri) && URL.canParse(uri))
  const origins = web.map((uri) => new URL(uri).origin)
  return [...new Set(origins)].filter((one) => originFault(one) === null)
}

function isHttps(uri: string): boolean {
  if (!/^https:\/\/[^/]/.test(uri) || !URL.canParse(uri)) return false
  return new URL(uri).host !== '' && !holdsCredentials(uri)
}

/** For every scheme: a private one also has an authority if two slashes follow it. */
function holdsCredentials(uri: string): boolean {
  const { username, password } = new URL(uri)
  return username !== '' || password !== ''
}

/**
 * Where it leads, for people. What follows a private scheme is written by whoever claims it, and
 * could look like the host of somebody else.
 */
export function placeOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** As typed, without spaces, wildcards, a fragment or credentials. */
export function isPlainHttps(uri: string): boolean {
  return uri.length <= MAX_URI_LENGTH && PLAIN_URI.test(uri) && isHttps(uri)
}

export function isPlainLoopback(uri: string): boolean {
  return (
    uri.length <= MAX_URI_LENGTH && PLAIN_URI.test(uri) && LOOPBACK.test(uri) && URL.canParse(uri)
  )
}
