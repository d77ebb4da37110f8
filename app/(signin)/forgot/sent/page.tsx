import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { PrintedMail } from '../../printed-mail'

export const generateMetadata = pageTitle(({ mail }) => mail.forgot.sentTitle)

export default async function ForgotSentPage({ searchParams }: PageProps) {
  const returnTo = returnToOf(await searchParams)
  const { mail } = await currentMessages()
  return (
    <PageFrame>
      <EmptyState title={mail.forgot.sentTitle} text={mail.forgot.sent}>
        <p className="text-muted">{mail.forgot.sentHint}</p>
        <PrintedMail />
        <div className="flex flex-wrap gap-3">
          <LinkButton href={returningTo('/login', returnTo)} tone="quiet">
            {mail.backToSignIn}
          </LinkButton>
          <LinkButton href={returningTo('/forgot', returnTo)} tone="quiet">
            {mail.forgot.again}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
