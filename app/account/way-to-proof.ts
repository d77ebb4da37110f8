import { satisfies } from '@/lib/access/acr'
import { PROVE_FACTOR } from '@/lib/accounts/admin-factor'
import { currentMessages } from '@/lib/browser/locale'
import { returningTo } from '@/lib/browser/return-to'
import { isConfirmedNow, type Session } from '@/lib/browser/session'
import { op } from '@/lib/op'

export type WayToProof = { href: string; label: string }

/** Whoever decides about something sensitive has just used a second factor; null if they have. */
export async function wayToProof(session: Session, here: string): Promise<WayToProof | null> {
  const { approvals: words } = (await currentMessages()).requests
  if (!satisfies(session.acr, 'mfa')) {
    if ((await (await op()).strongestFactor(session.user.id)) === null) {
      return { href: '/account/security', label: words.setUp }
    }
    const href = `${PROVE_FACTOR}&returnTo=${encodeURIComponent(here)}`
    return { href, label: words.factor }
  }
  if (await isConfirmedNow(session)) return null
  return { href: returningTo('/account/confirm', here), label: words.confirm }
}
