import { passwordOwner } from '@/lib/accounts/passwords'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { AccountFrame } from '../../frame'
import { BackToSecurity } from '../back'
import { PasswordForm } from './form'

export const generateMetadata = pageTitle(({ account }) => account.password.title)

export default async function PasswordPage() {
  const { user } = await requireUser()
  const { account, common, password } = await currentMessages()
  const { shortest } = await passwordOwner(await op(), user.id)
  return (
    <AccountFrame page="security" title={account.password.title} intro={account.password.intro}>
      <PasswordForm
        who={user.email ?? ''}
        words={account.password}
        rules={password}
        shortest={shortest}
        slowDown={account.slowDown}
        common={common}
      />
      <BackToSecurity />
    </AccountFrame>
  )
}
