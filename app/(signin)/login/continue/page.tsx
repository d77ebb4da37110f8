import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { safeReturnTo } from '@/lib/browser/return-to'

export const generateMetadata = pageTitle(({ login }) => login.continueTitle)

export default async function ContinuePage({ searchParams }: PageProps) {
  const { to } = await searchParams
  const target = safeReturnTo(typeof to === 'string' ? to : null)
  const { login } = await currentMessages()
  return (
    <PageFrame gate="open">
      <meta httpEquiv="refresh" content={`0;url=${target}`} />
      <EmptyState title={login.continueTitle} text={login.continueText}>
        <div>
          <LinkButton href={target}>{login.continueLink}</LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
