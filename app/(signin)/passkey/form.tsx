'use client'

import { useActionState } from 'react'
import { NewPasskeyButton, type NewPasskeyProblems } from '@/app/_ui/new-passkey-button'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Scripted, useRedirect } from '@/app/_ui/scripted'
import type { CreationOptions } from '@/lib/accounts/passkeys'
import type { Messages } from '@/lib/i18n'
import { answerOffer, type OfferState } from './actions'

type Props = {
  returnTo: string
  options: CreationOptions
  words: Messages['passkeyOffer']
  failures: NewPasskeyProblems
}

export function PasskeyOffer({ returnTo, options, words, failures }: Props) {
  const [state, action] = useActionState<OfferState, FormData>(answerOffer, {})
  useRedirect(state)
  return (
    <div className="grid gap-6">
      <NewPasskeyButton
        options={options}
        send={action}
        fields={() => ({ returnTo })}
        problem={state.problem}
        upgrade
        wide
        words={words}
        failures={failures}
      />
      <form action={action} className="grid gap-4">
        <input type="hidden" name="returnTo" value={returnTo} />
        <input type="hidden" name="answer" value="no" />
        <Scripted />
        <QuietSubmit wide label={words.notNow} busyLabel={words.notNow} />
        <label className="flex items-center gap-3">
          <input type="checkbox" name="never" value="yes" className="size-5 accent-accent" />
          {words.never}
        </label>
      </form>
    </div>
  )
}
