import { type Config, isLoopback } from '../config'
import { json } from '../http'

/** Endpoints that probes and schedulers ask, which know an address and not our name. */
export const ANY_HOST: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics', 'scheduled'])

export const FOREIGN_HOST = json(421, {
  error: 'this host name is not served here: use the one of the issuer',
})

/**
 * Is this Host header ours? Links and redirects come from the issuer and never from here; refusing
 * strangers keeps anything else (caches, frameworks) from believing them (attack-list M19).
 */
export function isKnownHost({ origin, allowedHosts }: Config, host: string | undefined): boolean {
  if (host === undefined) return false
  const name = host.toLowerCase()
  if (origin.endsWith(`//${name}`) || allowedHosts.has(name)) return true
  const issuer = new URL(origin)
  const named = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null
  return named !== null && isLoopback(issuer) && isLoopback(named)
}
