import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { PrintedMail } from '../../printed-mail'

export const generateMetadata = pageTitle(({ mail }) => mail.register.sentTitle)

export default async function RegisterSentPage({ searchParams }: PageProps) {
  const returnTo = returnToOf(await searchParams)
  const { mail } = await currentMessages()
  return (
    <PageFrame>
      <EmptyState title={mail.register.sentTitle} text={mail.register.sent}>
        <PrintedMail />
        <div>
          <LinkButton href={returningTo('/login', returnTo)} tone="quiet">
            {mail.signIn}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
