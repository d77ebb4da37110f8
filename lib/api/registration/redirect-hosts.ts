import { isPlainlyRefused } from '../../base/address-guard'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import { isPlainLoopback } from '../../oidc/redirect-uri'
import { isListed } from '../../settings/client-registration'

/**
 * Where a client that registers itself may send people. `registrationProblems` has checked the form
 * of the address; wildcards, fragments and plain http are refused there.
 */

/** Names of private networks (RFC 6762, RFC 8375, and what routers and companies use). */
const PRIVATE_NAME = /(^|\.)(local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/

export function redirectHostMistake(
  uri: string,
  native: boolean,
  allowed: readonly string[],
): ErrorMessage | null {
  // RFC 8252 §7: this machine, or a scheme of the application itself.
  if (isPlainLoopback(uri)) return native ? null : errorMessage('redirect_loopback')
  const url = new URL(uri)
  if (url.protocol !== 'https:') return null
  if (isListed(url, allowed)) return null
  if (isPrivate(url)) return errorMessage('redirect_private')
  return allowed.length > 0 ? errorMessage('redirect_not_listed') : null
}

/** A single label is a name of the local network. */
function isPrivate(url: URL): boolean {
  const name = url.hostname.replace(/\.$/, '')
  if (isPlainlyRefused(url, NOWHERE)) return true
  return !name.startsWith('[') && (!name.includes('.') || PRIVATE_NAME.test(name))
}

const NOWHERE: ReadonlySet<string> = new Set()
