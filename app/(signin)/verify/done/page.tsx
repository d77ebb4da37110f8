import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { currentSession } from '@/lib/browser/session'

export const generateMetadata = pageTitle(({ mail }) => mail.verify.doneTitle)

export default async function VerifyDonePage({ searchParams }: PageProps) {
  const returnTo = returnToOf(await searchParams)
  const { mail } = await currentMessages()
  const session = await currentSession()
  return (
    <PageFrame gate="open">
      <EmptyState title={mail.verify.doneTitle} text={mail.verify.done}>
        <div>
          {session ? (
            <LinkButton href={returnTo}>{mail.verify.goOn}</LinkButton>
          ) : (
            <LinkButton href={returningTo('/login', returnTo)}>{mail.signIn}</LinkButton>
          )}
        </div>
      </EmptyState>
    </PageFrame>
  )
}
