'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Locale, Messages } from '@/lib/i18n'
import { minutesText } from '@/lib/i18n/wait'
import { askForReset, type ForgotState } from './actions'

type Words = Messages['mail']['forgot'] & Pick<Messages['mail'], 'slowDown' | 'slowDownNext'>
type Props = { returnTo: string; identifier: string; words: Words; common: Messages['common'] }

export function ForgotForm({ returnTo, identifier, words, common }: Props) {
  const [state, action] = useActionState<ForgotState, FormData>(askForReset, { identifier })
  const problems = problemsOf(state, words, useLocale())
  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && (
        <ErrorSummary
          title={state.retryAfterSeconds ? words.slowDown : common.problem}
          problems={problems}
        />
      )}
      <input type="hidden" name="returnTo" value={returnTo} />
      <TextField
        name="identifier"
        label={words.identifier}
        error={state.missing && words.identifierMissing}
        defaultValue={state.identifier}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function problemsOf(
  { missing, retryAfterSeconds }: ForgotState,
  words: Words,
  locale: Locale,
): Problem[] {
  if (missing) return [{ field: 'identifier', text: words.identifierMissing }]
  if (!retryAfterSeconds) return []
  return [{ text: minutesText(locale, words.slowDownNext, retryAfterSeconds) }]
}
