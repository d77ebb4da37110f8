'use client'

import { useActionState } from 'react'
import { NewPasskeyButton, type NewPasskeyProblems } from '@/app/_ui/new-passkey-button'
import { useRedirect } from '@/app/_ui/scripted'
import type { CreationOptions } from '@/lib/accounts/passkeys'
import { answerOffer, type OfferState } from '../../passkey/actions'

type Props = {
  returnTo: string
  options: CreationOptions
  words: { create: string; waiting: string }
  failures: NewPasskeyProblems
}

export function ProtectForm({ returnTo, ...button }: Props) {
  const [state, action] = useActionState<OfferState, FormData>(answerOffer, {})
  useRedirect(state)
  return (
    <NewPasskeyButton
      {...button}
      send={action}
      fields={() => ({ returnTo })}
      problem={state.problem}
      wide
    />
  )
}
