import { ProviderChoice, ProviderProblem } from '@/app/_ui/provider-choice'
import type { WaysToConfirm } from '@/lib/accounts/confirm'
import { currentMessages } from '@/lib/locale'
import { confirmThrough } from './actions'

type Props = {
  ways: WaysToConfirm
  query: Record<string, string | string[] | undefined>
  returnTo: string
}

/** For those who have no password here: the account they sign in with says again who they are. */
export async function ConfirmThrough({ ways, query, returnTo }: Props) {
  const { upstream, account } = await currentMessages()
  if (ways.password || ways.providers.length === 0) return null
  const title = account.confirm.problem
  return (
    <>
      <ProviderProblem query={query} providers={ways.providers} title={title} />
      <p>{upstream.confirm.intro}</p>
      <ProviderChoice
        action={confirmThrough}
        providers={ways.providers}
        returnTo={returnTo}
        label={upstream.confirm.again}
        problemTitle={title}
      />
    </>
  )
}
