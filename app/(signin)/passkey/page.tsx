import type { Metadata } from 'next'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { creationOptions } from '@/lib/accounts/passkeys'
import { currentMessages } from '@/lib/browser/locale'
import { returnToOf } from '@/lib/browser/return-to'
import { requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { PasskeyOffer } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).passkeyOffer.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Between a sign-in with a password and where the person was going. */
export default async function PasskeyPage({ searchParams }: Props) {
  const { user } = await requireUser()
  const { passkeyOffer, passkeys } = await currentMessages()
  return (
    <PageFrame plain gate="open">
      <div className="grid max-w-[28rem] gap-8">
        <Heading title={passkeyOffer.title} text={passkeyOffer.intro} />
        <PasskeyOffer
          returnTo={returnToOf(await searchParams)}
          options={await creationOptions(await op(), user)}
          words={passkeyOffer}
          failures={passkeys.problems}
        />
      </div>
    </PageFrame>
  )
}
