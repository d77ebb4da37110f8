import { createLog } from '../base/log'
import { hasNodeHost } from '../base/request-context'
import { type Config, config } from '../settings/config'

/** Plain Next gives us no socket: who calls is unknown, unless a proxy in front says so. */
export function seesCallers({ trustedProxies }: Pick<Config, 'trustedProxies'>): boolean {
  return hasNodeHost() || trustedProxies > 0
}

/** Said once, when a process starts. What is wrong with the environment, the first request is told. */
export function warnOfUnseen(): void {
  const settings = readConfig()
  if (!settings || seesCallers(settings)) return
  createLog(settings.logLevel, false).warn(
    { setting: 'TRUSTED_PROXIES' },
    'the addresses of callers are not known here: guesses are limited by account and as a whole, not by address; set TRUSTED_PROXIES to the number of proxies in front, or use npm start',
  )
}

function readConfig(): Config | null {
  try {
    return config()
  } catch {
    return null
  }
}
