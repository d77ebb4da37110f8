import { satisfies } from '@/lib/access/acr'
import { PROVE_FACTOR } from '@/lib/accounts/admin-factor'
import { currentMessages } from '@/lib/browser/locale'
import { returningTo } from '@/lib/browser/return-to'
import { isConfirmedNow, type Session } from '@/lib/browser/session'
import { op } from '@/lib/op'

/** Where somebody proves with two factors who they are; null if they have just done it. */
export async function wayToProof(session: Session, here: string) {
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
