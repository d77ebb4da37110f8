import type { Application } from '../oidc/client'
import type { Config } from './config'

/**
 * The private hosts that the portal may call for an application. What a client wrote about itself
 * is the text of anybody: what the operator allows to admins does not count for it (RFC 7591 §5).
 */
export function outboundHostsFor(
  { outboundHosts, registrationOutboundHosts }: Config,
  registration: Application['registration'],
): ReadonlySet<string> {
  return registration === 'admin' ? outboundHosts : registrationOutboundHosts
}
