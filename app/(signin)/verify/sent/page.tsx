import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returnToOf } from '@/lib/browser/return-to'
import { PrintedMail } from '../../printed-mail'

export const generateMetadata = pageTitle(({ mail }) => mail.verify.sentTitle)

export default async function VerifySentPage({ searchParams }: PageProps) {
  const returnTo = returnToOf(await searchParams)
  const { verify } = (await currentMessages()).mail
  return (
    <PageFrame>
      <EmptyState title={verify.sentTitle} text={verify.sent}>
        <PrintedMail />
        <div>
          <LinkButton href={returnTo} tone="quiet">
            {verify.goOn}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
