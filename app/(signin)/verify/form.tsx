'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { minutesText } from '@/lib/i18n/wait'
import { type SendState, sendVerification } from './actions'

type Props = {
  returnTo: string
  words: Pick<Messages['mail']['verify'], 'send' | 'sending'> &
    Pick<Messages['mail'], 'slowDown' | 'slowDownNext'>
}

export function SendForm({ returnTo, words }: Props) {
  const [state, action] = useActionState<SendState, FormData>(sendVerification, {})
  const locale = useLocale()
  return (
    <form action={action} className="grid gap-6">
      {state.retryAfterSeconds && (
        <ErrorSummary
          title={words.slowDown}
          problems={[{ text: minutesText(locale, words.slowDownNext, state.retryAfterSeconds) }]}
        />
      )}
      <input type="hidden" name="returnTo" value={returnTo} />
      <div>
        <SubmitButton label={words.send} busyLabel={words.sending} />
      </div>
    </form>
  )
}
