'use client'

import { useActionState } from 'react'
import { useLocale } from '@/app/_ui/locale'
import { PasskeyButton } from '@/app/_ui/passkey-button'
import { useRedirect } from '@/app/_ui/scripted'
import type { RequestOptions } from '@/lib/accounts/passkeys'
import type { Locale } from '@/lib/i18n'
import { type PasskeyState, signInByPasskey } from './actions'
import { slowDownText } from './problem'
import type { PasskeyWords } from './words'

type Props = {
  returnTo: string
  options: RequestOptions
  lastUsed: boolean
  autofill?: boolean
  words: PasskeyWords
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

function failureOf(state: PasskeyState, words: PasskeyWords, locale: Locale): string | undefined {
  if (state.problem === 'slow_down') return slowDownText(state.retryAfterSeconds, words, locale)
  return state.problem && words.passkey.unknown
}
