import { redirect } from 'next/navigation'
import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { DEVICE_RESULTS } from '@/lib/oidc/device'

export const generateMetadata = pageTitle(({ device }) => device.title)

export default async function DeviceDonePage({ searchParams }: PageProps) {
  const { result: asked } = await searchParams
  const result = DEVICE_RESULTS.find((one) => one === asked)
  if (!result) redirect('/device')
  const { device } = await currentMessages()
  return (
    <PageFrame gate={result === 'approved' ? 'open' : 'shut'}>
      <EmptyState {...device.done[result]}>
        {result === 'approved' ? (
          <>
            <p className="text-muted">{device.apps}</p>
            <div>
              <LinkButton href="/account/apps" tone="quiet">
                {device.openApps}
              </LinkButton>
            </div>
          </>
        ) : (
          <div>
            <LinkButton href="/device" tone="quiet">
              {device.another}
            </LinkButton>
          </div>
        )}
      </EmptyState>
    </PageFrame>
  )
}
