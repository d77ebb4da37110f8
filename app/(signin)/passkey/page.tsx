import { redirect } from 'next/navigation'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { creationOptions } from '@/lib/accounts/passkeys'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returnToOf } from '@/lib/browser/return-to'
import { mayChangeFactors, requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { PasskeyOffer } from './form'

export const generateMetadata = pageTitle(({ passkeyOffer }) => passkeyOffer.title)

/** Between a sign-in with a password and where the person was going. */
export default async function PasskeyPage({ searchParams }: PageProps) {
  const session = await requireUser()
  const returnTo = returnToOf(await searchParams)
  // Whoever would have to use a factor first was not asked for one: this is no moment for it.
  if (!(await mayChangeFactors(session))) redirect(returnTo)
  const { passkeyOffer, passkeys } = await currentMessages()
  return (
    <PageFrame plain gate="open">
      <div className="grid max-w-[28rem] gap-8">
        <Heading title={passkeyOffer.title} text={passkeyOffer.intro} />
        <PasskeyOffer
          returnTo={returnTo}
          options={await creationOptions(await op(), session.user)}
          words={passkeyOffer}
          failures={passkeys.problems}
        />
      </div>
    </PageFrame>
  )
}
