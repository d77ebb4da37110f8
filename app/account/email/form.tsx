'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import type { Plural } from '@/lib/i18n/plural'
import { minutesText } from '@/lib/i18n/wait'
import { askForEmail, type EmailState } from './actions'

type Words = Messages['account']['email']
type Props = { words: Words; slowDown: Plural; common: Messages['common'] }

export function EmailForm({ words, slowDown, common }: Props) {
  const locale = useLocale()
  const [state, action] = useActionState<EmailState, FormData>(askForEmail, { email: '' })
  const problem = problemOf(state, words, (seconds) => minutesText(locale, slowDown, seconds))
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
  waitFor: (seconds: number) => string,
): Problem | null {
  if (problem === 'slow_down') return { text: waitFor(retryAfterSeconds) }
  if (!problem) return null
  const texts = { missing: words.missing, email: words.wrong, same: words.same }
  return { field: 'email', text: texts[problem] }
}
