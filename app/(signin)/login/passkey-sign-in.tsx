'use client'

import { useActionState } from 'react'
import { useLocale } from '@/app/_ui/locale'
import { PasskeyButton } from '@/app/_ui/passkey-button'
import { useRedirect } from '@/app/_ui/scripted'
import type { RequestOptions } from '@/lib/accounts/passkeys'
import type { Locale, Messages } from '@/lib/i18n'
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
      failed={failureOf(state, words, useLocale())}
      autofill={autofill}
      sent={pending || state.goTo !== undefined}
      badge={lastUsed ? words.lastUsed : undefined}
      words={words.passkey}
    />
  )
}

function failureOf(state: LoginState, words: Words, locale: Locale): string | undefined {
  if (state.problem === 'slow_down') return problemOf(state, words, locale)?.text
  return state.problem && words.passkey.unknown
}
