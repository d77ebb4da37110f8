import { LinkButton } from '@/app/_ui/link-button'
import { listAuthenticators } from '@/lib/accounts/authenticators'
import { recoveryCodesLeft } from '@/lib/accounts/recovery-codes'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returnToOf } from '@/lib/browser/return-to'
import { requireConfirmedByFactor, requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { AccountFrame } from '../../frame'
import { BackToSecurity } from '../back'
import { RecoveryCodesForm } from './form'

export const generateMetadata = pageTitle(({ account }) => account.codes.title)

export default async function RecoveryCodesPage({ searchParams }: PageProps) {
  const portal = await op()
  if ((await listAuthenticators(portal, await requireUser())).length === 0) return <FactorFirst />
  const session = await requireConfirmedByFactor()
  const { user } = session
  const query = await searchParams
  const { done } = query
  const { account, common } = await currentMessages()
  const left = await recoveryCodesLeft(portal, session)
  return (
    <AccountFrame
      page="security"
      title={account.codes.title}
      intro={account.codes.intro}
      done={done}
    >
      <RecoveryCodesForm
        who={user.email ?? user.name ?? user.id}
        replaces={left > 0}
        returnTo={returnToOf(query)}
        words={account.codes}
        common={common}
      />
      <BackToSecurity />
    </AccountFrame>
  )
}

/** Without a second factor there is nothing to recover. */
async function FactorFirst() {
  const { account } = await currentMessages()
  return (
    <AccountFrame page="security" title={account.codes.title} intro={account.security.codesFirst}>
      <div>
        <LinkButton href="/account/security/authenticator">{account.security.add}</LinkButton>
      </div>
      <BackToSecurity />
    </AccountFrame>
  )
}
