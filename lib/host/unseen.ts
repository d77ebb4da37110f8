import { createLog } from '../base/log'
import { hasNodeHost } from '../base/request-context'
import { type Config, config } from '../settings/config'

/**
 * Plain Next.js gives access to no socket: the address of the caller is unknown, unless a proxy
 * reports it.
 */
function seesCallers({ trustedProxies }: Pick<Config, 'trustedProxies'>): boolean {
  return hasNodeHost() || trustedProxies > 0
}

/**
 * Logged once, when a process starts. Errors in the environment are reported by the first request.
 */
export function warnOfUnseen(): void {
  const settings = readConfig()
  if (!settings || seesCallers(settings)) return
  createLog(settings.logLevel, false).warn(
    { setting: 'TRUSTED_PROXIES' },
    'the addresses of callers are not known here: guesses are limited by account and in total, not by address; set TRUSTED_PROXIES to the number of proxies in front, or use npm start',
  )
}

function readConfig(): Config | null {
  try {
    return config()
  } catch {
    return null
  }
}
