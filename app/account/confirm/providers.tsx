import { LinkButton } from '@/app/_ui/link-button'
import { ProviderChoice, ProviderProblem } from '@/app/_ui/provider-choice'
import { hasWayToConfirm, type WaysToConfirm } from '@/lib/accounts/confirm'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { SearchParams } from '@/lib/browser/page-props'
import { mailMode } from '@/lib/delivery/mail/mode'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { confirmThrough } from './actions'

type Props = {
  ways: WaysToConfirm
  /** Where a letter would reach them. */
  email: string | null
  query: SearchParams
  returnTo: string
}

/** For those who have no password here: the account they sign in with says again who they are. */
export async function ConfirmThrough({ ways, email, query, returnTo }: Props) {
  const { upstream, account } = await currentMessages()
  const { providers } = ways
  const title = account.confirm.problem
  return (
    <>
      <ProviderProblem query={query} providers={providers} title={title} />
      {providers.length > 0 && (
        <>
          <p>{upstream.confirm.intro}</p>
          <ProviderChoice
            action={confirmThrough}
            providers={providers}
            returnTo={returnTo}
            label={upstream.confirm.again}
            problemTitle={title}
          />
        </>
      )}
      <WhatIsLeft ways={ways} email={email} />
    </>
  )
}

/** Why the account that they sign in with does not count, and what does. */
async function WhatIsLeft({ ways, email }: Pick<Props, 'ways' | 'email'>) {
  const { confirm, choosePassword } = (await currentMessages()).upstream
  const list = new Intl.ListFormat(await currentLocale(), { type: 'conjunction' })
  const silent = list.format(ways.silent.map(({ name }) => name))
  const byMail = email !== null && mailMode(await op()) !== 'off'
  return (
    <>
      {silent !== '' && <p>{fill(confirm.silent, { providers: silent })}</p>}
      {!hasWayToConfirm(ways) && (
        <>
          <p>{byMail ? confirm.none : confirm.askForHelp}</p>
          {byMail && (
            <div>
              <LinkButton href="/forgot">{choosePassword}</LinkButton>
            </div>
          )}
        </>
      )}
    </>
  )
}
