import { type Incoming, json } from '../base/http'
import { type Config, isLoopback } from '../settings/config'

/** Endpoints for probes and schedulers, which know an address and not the host name. */
const ANY_HOST: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics', 'scheduled'])

export const FOREIGN_HOST = json(421, {
  error: 'this host name is not served here: use the host name of the issuer',
})

const DEFAULT_PORTS: Record<string, RegExp> = { 'https:': /:443$/, 'http:': /:80$/ }

type Headers = Incoming['headers']

/** Does the endpoint answer requests for this host name? */
export function answersHost(config: Config, endpoint: string, headers: Headers): boolean {
  return ANY_HOST.has(endpoint) || isKnownHost(config, askedHost(config, headers))
}

/**
 * The host name that the caller asked for. A trusted proxy may use another name and send the
 * caller's in `X-Forwarded-Host`, one entry per proxy as in `X-Forwarded-For`. From anybody else
 * the header is ignored.
 */
export function askedHost(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  headers: Headers,
): string | null {
  const host = headers.get('host')
  if (trustedProxies === 0) return host
  const said = headers.get('x-forwarded-host')?.split(',') ?? []
  return said[Math.max(0, said.length - trustedProxies)]?.trim() || host
}

/**
 * Is this host name served here? Links and redirects always use the issuer. Unknown host names are
 * refused so that caches and frameworks cannot trust them (attack M19).
 */
export function isKnownHost({ origin, allowedHosts }: Config, host: string | null): boolean {
  if (host === null) return false
  const name = host.toLowerCase()
  if (origin.endsWith(`//${name}`) || allowedHosts.has(name)) return true
  const issuer = new URL(origin)
  if (withoutDefaultPort(issuer, name) === issuer.host) return true
  const named = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null
  return named !== null && isLoopback(issuer) && isLoopback(named)
}

/**
 * The origins that pages of the portal send: for a known host name besides the issuer's, with
 * either scheme.
 */
export function ownOrigins({ origin }: Config, host: string): string[] {
  const issuer = new URL(origin)
  const name = host.toLowerCase()
  if (withoutDefaultPort(issuer, name) === issuer.host) return [origin]
  return [origin, `https://${name}`, `http://${name}`]
}

function withoutDefaultPort({ protocol }: URL, host: string): string {
  return host.replace(DEFAULT_PORTS[protocol] ?? '', '')
}
