import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo } from '@/lib/browser/return-to'
import { PrintedMail } from '../../printed-mail'

export const generateMetadata = pageTitle(({ mail }) => mail.notMe.doneTitle)

export default async function NotMeDonePage({ searchParams }: PageProps) {
  const byMail = (await searchParams).mail === 'sent'
  const { notMe: words } = (await currentMessages()).mail
  return (
    <PageFrame>
      <EmptyState title={words.doneTitle} text={byMail ? words.doneWithMail : words.donePlain}>
        {byMail && <PrintedMail />}
        <p>{words.next}</p>
        <div className="flex flex-wrap gap-3">
          {!byMail && <LinkButton href="/forgot">{words.newPassword}</LinkButton>}
          <LinkButton href={returningTo('/login', '/account/security')} tone="quiet">
            {words.security}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
