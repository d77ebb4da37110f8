'use client'

import { useActionState } from 'react'
import { PasskeyButton } from '@/app/_ui/passkey-button'
import { useRedirect } from '@/app/_ui/scripted'
import type { RequestOptions } from '@/lib/accounts/passkeys'
import type { Messages } from '@/lib/i18n'
import { type LoginState, signInByPasskey } from './actions'
import { problemOf } from './problem'

type Words = Messages['login']
type Props = {
  returnTo: string
  options: RequestOptions
  lastUsed: boolean
  autofill?: boolean
  words: Words
}

export function PasskeySignIn({ returnTo, options, lastUsed, autofill = false, words }: Props) {
  const [state, action, pending] = useActionState(signInByPasskey, {})
  useRedirect(state)
  return (
    <PasskeyButton
      options={options}
      send={action}
      isUnknown={state.problem === 'unknown_passkey'}
      fields={{ returnTo }}
      failed={failureOf(state, words)}
      autofill={autofill}
      sent={pending || state.goTo !== undefined}
      badge={lastUsed ? words.lastUsed : undefined}
      words={words.passkey}
    />
  )
}

function failureOf(state: LoginState, words: Words): string | undefined {
  if (state.problem === 'slow_down') return problemOf(state, words)?.text
  return state.problem && words.passkey.unknown
}
