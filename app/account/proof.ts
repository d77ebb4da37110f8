import { type FactorReason, wayToFactor } from '@/lib/accounts/admin-factor'
import { hasJustUsedFactor } from '@/lib/accounts/confirm'
import { currentMessages } from '@/lib/browser/locale'
import type { Session } from '@/lib/browser/session'
import { op } from '@/lib/op'

/** Where somebody uses a second factor; null if they have just done it. */
export async function wayToProof(
  session: Session,
  here: string,
  reason: FactorReason = 'sensitive',
) {
  const { approvals: words } = (await currentMessages()).requests
  const portal = await op()
  const { confirmMinutes } = (await portal.settings.current()).security
  if (hasJustUsedFactor(session, portal.now(), confirmMinutes)) return null
  const hasFactor = (await portal.strongestFactor(session.user.id)) !== null
  const href = await wayToFactor(portal, session.user, here, reason)
  return { href, hasFactor, label: hasFactor ? words.factor : words.setUp }
}
