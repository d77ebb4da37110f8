'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import type { Text } from '@/lib/i18n/text'
import { askForEmail, type EmailState } from './actions'

type Words = Messages['account']['email']
type Props = { words: Words; slowDown: Text<'minutes'>; common: Messages['common'] }

export function EmailForm({ words, slowDown, common }: Props) {
  const [state, action] = useActionState<EmailState, FormData>(askForEmail, { email: '' })
  const problem = problemOf(state, words, slowDown)
  return (
    <form action={action} noValidate className="grid max-w-[26rem] gap-6">
      {problem && <ErrorSummary title={common.problem} problems={[problem]} />}
      <TextField
        name="email"
        type="email"
        label={words.next}
        error={problem?.field && problem.text}
        defaultValue={state.email}
        autoComplete="email"
        required
      />
      <div>
        <SubmitButton label={words.submit} busyLabel={words.submitting} />
      </div>
    </form>
  )
}

function problemOf(
  { problem, retryAfterSeconds = 60 }: EmailState,
  words: Words,
  slowDown: Text<'minutes'>,
): Problem | null {
  const minutes = String(Math.ceil(retryAfterSeconds / 60))
  if (problem === 'slow_down') return { text: fill(slowDown, { minutes }) }
  if (!problem) return null
  const texts = { missing: words.missing, email: words.wrong, same: words.same }
  return { field: 'email', text: texts[problem] }
}
