'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { PasswordField } from '@/app/_ui/password-field'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { passwordProblems } from '../password-problems'
import { chooseNewPassword, type ResetState } from './actions'

type Props = {
  token: string
  email: string
  returnTo: string
  words: Messages['mail']['reset']
  setup: Messages['setup']
  common: Messages['common']
}

export function ResetForm({ token, email, returnTo, words, setup, common }: Props) {
  const [state, action] = useActionState<ResetState, FormData>(chooseNewPassword, {})
  const problems = problemsOf(state, words, setup)
  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={common.problem} problems={problems} />}
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="returnTo" value={returnTo} />
      {/* Password managers file the new password under this name. */}
      <input hidden type="text" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        name="password"
        label={words.password}
        hint={setup.passwordHint}
        error={problems.find(({ field }) => field === 'password')?.text}
        autoComplete="new-password"
        words={common}
      />
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function problemsOf(
  { problem }: ResetState,
  words: Messages['mail']['reset'],
  setup: Messages['setup'],
): Problem[] {
  if (!problem) return []
  return [problem === 'link' ? { text: words.closed } : passwordProblems(setup)[problem]]
}
