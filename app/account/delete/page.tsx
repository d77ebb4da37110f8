import { typedToDelete, WAITING_DAYS } from '@/lib/accounts/delete-account'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { requireConfirmed } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { AccountFrame } from '../frame'
import { DeleteForm } from './form'

export const generateMetadata = pageTitle(({ account }) => account.delete.title)

export default async function DeletePage() {
  const session = await requireConfirmed()
  const { account, common } = await currentMessages()
  const { delete: words } = account
  const days = String(WAITING_DAYS)
  return (
    <AccountFrame page="data" title={words.title} intro={words.intro}>
      <ul className="grid list-disc gap-2 ps-5">
        {[words.now, words.wait, words.gone, words.stays].map((text) => (
          <li key={text}>{fill(text, { days })}</li>
        ))}
      </ul>
      <DeleteForm who={typedToDelete(session)} words={words} common={common} />
    </AccountFrame>
  )
}
