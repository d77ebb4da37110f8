'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { askForReset, type ForgotState } from './actions'

type Words = Messages['mail']['forgot'] & Pick<Messages['mail'], 'slowDown' | 'slowDownNext'>
type Props = { returnTo: string; identifier: string; words: Words; common: Messages['common'] }

export function ForgotForm({ returnTo, identifier, words, common }: Props) {
  const [state, action] = useActionState<ForgotState, FormData>(askForReset, { identifier })
  const problems = problemsOf(state, words)
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

function problemsOf({ missing, retryAfterSeconds }: ForgotState, words: Words): Problem[] {
  if (missing) return [{ field: 'identifier', text: words.identifierMissing }]
  if (!retryAfterSeconds) return []
  const minutes = String(Math.ceil(retryAfterSeconds / 60))
  return [{ text: fill(words.slowDownNext, { minutes }) }]
}
