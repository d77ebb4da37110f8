import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { WAITING_DAYS } from '@/lib/accounts/delete-account'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { requireUser } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { AccountFrame } from '../frame'

export const generateMetadata = pageTitle(({ account }) => account.data.title)

export default async function DataPage() {
  await requireUser()
  const { data: words } = (await currentMessages()).account
  return (
    <AccountFrame page="data" title={words.title} intro={words.intro}>
      <Section title={words.download} text={words.downloadText}>
        <div>
          <LinkButton href="/account/data/download" tone="quiet">
            {words.downloadLink}
          </LinkButton>
        </div>
      </Section>
      <Section title={words.delete} text={fill(words.deleteText, { days: String(WAITING_DAYS) })}>
        <div>
          <LinkButton href="/account/delete" tone="quiet">
            {words.deleteLink}
          </LinkButton>
        </div>
      </Section>
    </AccountFrame>
  )
}
