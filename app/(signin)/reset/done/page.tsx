import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'

export const generateMetadata = pageTitle(({ mail }) => mail.reset.doneTitle)

export default async function ResetDonePage({ searchParams }: PageProps) {
  const returnTo = returnToOf(await searchParams)
  const { mail } = await currentMessages()
  return (
    <PageFrame>
      <EmptyState title={mail.reset.doneTitle} text={mail.reset.done}>
        <div>
          <LinkButton href={returningTo('/login', returnTo)}>{mail.signIn}</LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
