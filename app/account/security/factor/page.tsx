import { redirect } from 'next/navigation'
import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { FACTOR_REASONS, wayToFactor } from '@/lib/accounts/admin-factor'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { AccountFrame } from '../../frame'

export const generateMetadata = pageTitle(({ account }) => account.setUpFactor.title)

/** Somebody without a second factor wants to do what needs one: why, and how, and back. */
export default async function SetUpFactorPage({ searchParams }: PageProps) {
  const { user } = await requireUser()
  const query = await searchParams
  const returnTo = returnToOf(query)
  const portal = await op()
  if ((await portal.strongestFactor(user.id)) !== null) {
    redirect(await wayToFactor(portal, user, returnTo))
  }
  const { setUpFactor: words } = (await currentMessages()).account
  const reason = FACTOR_REASONS.find((one) => one === query.for) ?? 'admin'
  return (
    <AccountFrame page="security" title={words.title} intro={words.reasons[reason]}>
      <div className="flex flex-wrap gap-4">
        <LinkButton href={returningTo('/account/security/passkey', returnTo)}>
          {words.passkey}
        </LinkButton>
        <LinkButton href={returningTo('/account/security/authenticator', returnTo)} tone="quiet">
          {words.authenticator}
        </LinkButton>
      </div>
      <p className="text-muted">{words.afterwards}</p>
      {reason === 'approve' && (
        <div>
          <QuietLink href={returnTo}>{words.backToRequest}</QuietLink>
        </div>
      )}
    </AccountFrame>
  )
}
