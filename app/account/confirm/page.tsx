import type { Metadata } from 'next'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { requestOptions } from '@/lib/accounts/passkeys'
import { currentMessages } from '@/lib/locale'
import { op } from '@/lib/op'
import { safeReturnTo } from '@/lib/return-to'
import { requireUser } from '@/lib/session'
import { ConfirmForm } from './form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).account.confirm.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ConfirmPage({ searchParams }: Props) {
  const { user } = await requireUser()
  const { returnTo } = await searchParams
  const { account, passkeys, common } = await currentMessages()
  const house = await op()
  const hasApp = await house.totps.anyConfirmed(user.id)
  const hasPasskey = await house.passkeys.any(user.id)
  return (
    <PageFrame plain>
      <div className="grid max-w-[26rem] gap-8">
        <Heading title={account.confirm.title} text={account.confirm.intro} />
        <ConfirmForm
          returnTo={safeReturnTo(typeof returnTo === 'string' ? returnTo : null)}
          who={user.email ?? ''}
          hasApp={hasApp}
          passkey={
            hasPasskey ? await requestOptions(house, { for: 'confirm', userId: user.id }) : null
          }
          passkeys={passkeys}
          words={account.confirm}
          slowDown={account.slowDown}
          common={common}
        />
      </div>
    </PageFrame>
  )
}
