import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { waysToConfirm } from '@/lib/accounts/confirm'
import { requestOptions } from '@/lib/accounts/passkeys'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { returnToOf } from '@/lib/browser/return-to'
import { requireUser } from '@/lib/browser/session'
import { plural } from '@/lib/i18n/plural'
import { op } from '@/lib/op'
import { ConfirmForm } from './form'
import { ConfirmThrough } from './providers'

export const generateMetadata = pageTitle(({ account }) => account.confirm.title)

export default async function ConfirmPage({ searchParams }: PageProps) {
  const session = await requireUser()
  const query = await searchParams
  const returnTo = returnToOf(query)
  const { account, passkeys, common } = await currentMessages()
  const portal = await op()
  const ways = await waysToConfirm(portal, session)
  const { confirmMinutes } = (await portal.settings.current()).security
  const intro = plural(await currentLocale(), account.confirm.intro, confirmMinutes)
  const purpose = { for: 'confirm', userId: session.user.id } as const
  return (
    <PageFrame plain>
      <div className="grid max-w-[26rem] gap-8">
        <Heading title={account.confirm.title} text={intro} />
        <ConfirmThrough ways={ways} email={session.user.email} query={query} returnTo={returnTo} />
        <ConfirmForm
          returnTo={returnTo}
          who={session.user.email ?? ''}
          hasPassword={ways.password}
          hasApp={ways.app}
          passkey={ways.passkey ? await requestOptions(portal, purpose) : null}
          passkeys={passkeys}
          words={account.confirm}
          slowDown={{ slowDown: account.slowDown, slowDownHours: account.slowDownHours }}
          common={common}
        />
      </div>
    </PageFrame>
  )
}
