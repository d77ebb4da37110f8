import { QuietLink } from '@/app/_ui/quiet-link'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { requireConfirmed } from '@/lib/browser/session'
import { mailMode } from '@/lib/delivery/mail/mode'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AccountFrame } from '../frame'
import { EmailForm } from './form'

export const generateMetadata = pageTitle(({ account }) => account.email.title)

export default async function EmailPage() {
  const { user } = await requireConfirmed()
  const { account, mail, common } = await currentMessages()
  const { email: words, slowDown } = account
  const hasMail = mailMode(await op()) !== 'off'
  return (
    <AccountFrame page="profile" title={words.title} intro={hasMail ? words.intro : mail.off}>
      {user.email !== null && (
        <p className="[overflow-wrap:anywhere]">{fill(words.current, { email: user.email })}</p>
      )}
      {hasMail && <EmailForm words={words} slowDown={slowDown} common={common} />}
      <div>
        <QuietLink href="/account">{words.back}</QuietLink>
      </div>
    </AccountFrame>
  )
}
