import { ProviderChoice, ProviderProblem } from '@/app/_ui/provider-choice'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { requireConfirmed } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { listProviders } from '@/lib/settings/providers'
import { AccountFrame } from '../../frame'
import { BackToSecurity } from '../back'
import { connect } from './actions'

export const generateMetadata = pageTitle(({ upstream }) => upstream.connect.title)

export default async function ConnectPage({ searchParams }: PageProps) {
  await requireConfirmed()
  const { upstream } = await currentMessages()
  const providers = await listProviders(await op())
  return (
    <AccountFrame
      page="security"
      title={upstream.connect.title}
      intro={providers.length > 0 ? upstream.connect.intro : upstream.connect.nowhere}
    >
      <ProviderProblem query={await searchParams} providers={providers} title={upstream.notDone} />
      <div className="max-w-[26rem]">
        <ProviderChoice
          action={connect}
          providers={providers}
          returnTo="/"
          label={upstream.continueWith}
          problemTitle={upstream.notDone}
        />
      </div>
      <BackToSecurity />
    </AccountFrame>
  )
}
