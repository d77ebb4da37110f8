import { patternCovers } from '../../access/pattern'
import { ANY_APPLICATION } from '../../access/policy'
import { PORTAL_SCOPE_NAMES } from '../../access/portal-api'
import type { Op } from '../../context/op'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import { fieldProblem, requireNone } from '../http/problem'
import type { ApplicationGrantInput } from './grants'

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
  const problemOf = (from: string): ErrorMessage | null => {
    if (from === ANY_APPLICATION) return null
    if (from === applicationId) return errorMessage('exchange_from_itself')
    return isApplication(from) ? null : errorMessage('unknown_application')
  }
  requireNone(
    asked.flatMap(({ pattern, exchangeFrom }, at) => {
      if (exchangeFrom === null) return []
      const reason = problemOf(exchangeFrom)
      const own = PORTAL_SCOPE_NAMES.some((scope) => patternCovers(pattern, scope))
      return [
        ...(reason ? [fieldProblem(`/grants/${at}/exchangeFrom`, reason)] : []),
        ...(own ? [fieldProblem(`/grants/${at}/pattern`, errorMessage('exchange_own_api'))] : []),
      ]
    }),
  )
}
