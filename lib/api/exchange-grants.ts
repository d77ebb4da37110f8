import { patternCovers } from '../access/pattern'
import { ANY_APPLICATION } from '../access/policy'
import { PORTAL_SCOPE_NAMES } from '../access/portal-api'
import type { Op } from '../context/op'
import { type Mistake, mistake } from '../i18n/mistake'
import type { ApplicationGrantInput } from './grants'
import { fieldProblem, requireNone } from './problem'

/**
 * Grants for a token exchange name an application that exists, another one, and a permission that an
 * exchange can give.
 */
export async function requireExchangeable(
  op: Op,
  applicationId: string,
  asked: readonly Pick<ApplicationGrantInput, 'pattern' | 'exchangeFrom'>[],
): Promise<void> {
  const named = asked.flatMap(({ exchangeFrom }) =>
    exchangeFrom === null || exchangeFrom === ANY_APPLICATION ? [] : [exchangeFrom],
  )
  if (asked.every(({ exchangeFrom }) => exchangeFrom === null)) return
  const { credentials } = await op.latestSnapshot({ clients: named })
  const isApplication = (id: string) => credentials.get(id)?.application.id === id
  const problemOf = (from: string): Mistake | null => {
    if (from === ANY_APPLICATION) return null
    if (from === applicationId) return mistake('exchange_from_itself')
    return isApplication(from) ? null : mistake('unknown_application')
  }
  requireNone(
    asked.flatMap(({ pattern, exchangeFrom }, at) => {
      if (exchangeFrom === null) return []
      const reason = problemOf(exchangeFrom)
      const own = PORTAL_SCOPE_NAMES.some((scope) => patternCovers(pattern, scope))
      return [
        ...(reason ? [fieldProblem(`/grants/${at}/exchangeFrom`, reason)] : []),
        ...(own ? [fieldProblem(`/grants/${at}/pattern`, mistake('exchange_own_api'))] : []),
      ]
    }),
  )
}
