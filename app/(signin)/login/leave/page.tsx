import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages } from '@/lib/browser/locale'
import { currentUpstreamRequest } from '@/lib/browser/upstream-request'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { findProvider, isSameProvider } from '@/lib/settings/providers'

export async function generateMetadata(): Promise<Metadata> {
  const { upstream } = await currentMessages()
  return { title: fill(upstream.leaveTitle, { provider: upstream.someProvider }) }
}

/** Between a form that was sent without script and the provider; see lib/browser/upstream-start.ts. */
export default async function LeavePage() {
  const portal = await op()
  const upstreamRequest = await currentUpstreamRequest(portal)
  const provider = upstreamRequest && (await findProvider(portal, upstreamRequest.provider.id))
  if (!provider || !isSameProvider(upstreamRequest.provider, provider)) redirect('/login')
  const { name } = provider
  const { upstream } = await currentMessages()
  const title = fill(upstream.leaveTitle, { provider: name })
  return (
    <PageFrame gate="open">
      <meta httpEquiv="refresh" content={`0;url=${upstreamRequest.url}`} />
      <EmptyState title={title} text={upstream.leaveText}>
        <div>
          <LinkButton href={upstreamRequest.url}>
            {fill(upstream.leaveLink, { provider: name })}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
