import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { readUserCode, shownUserCode } from '@/lib/oidc/user-code'
import { CodeForm } from './form'

export const generateMetadata = pageTitle(({ device }) => device.title)

/** A link can fill the code in. It never sends it: the person compares it first (RFC 8628 §3.3.1). */
export default async function DevicePage({ searchParams }: PageProps) {
  const { user_code } = await searchParams
  const code = typeof user_code === 'string' ? readUserCode(user_code) : null
  const { device } = await currentMessages()
  return (
    <PageFrame plain>
      <div className="grid max-w-[26rem] gap-8">
        <Heading title={device.title} text={device.intro} />
        <CodeForm typed={code === null ? '' : shownUserCode(code)} words={device} />
      </div>
    </PageFrame>
  )
}
