'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { type SendState, sendVerification } from './actions'

type Props = {
  returnTo: string
  words: Pick<Messages['mail']['verify'], 'send' | 'sending'> &
    Pick<Messages['mail'], 'slowDown' | 'slowDownNext'>
}

export function SendForm({ returnTo, words }: Props) {
  const [state, action] = useActionState<SendState, FormData>(sendVerification, {})
  const minutes = String(Math.ceil((state.retryAfterSeconds ?? 0) / 60))
  return (
    <form action={action} className="grid gap-6">
      {state.retryAfterSeconds && (
        <ErrorSummary
          title={words.slowDown}
          problems={[{ text: fill(words.slowDownNext, { minutes }) }]}
        />
      )}
      <input type="hidden" name="returnTo" value={returnTo} />
      <div>
        <SubmitButton label={words.send} busyLabel={words.sending} />
      </div>
    </form>
  )
}
