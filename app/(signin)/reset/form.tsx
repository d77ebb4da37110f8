'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { NewPasswordField } from '@/app/_ui/new-password-field'
import { passwordProblems } from '@/app/_ui/password-problems'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { chooseNewPassword, type ResetState } from './actions'

type Props = {
  token: string
  email: string
  returnTo: string
  words: Messages['mail']['reset']
  password: Messages['password']
  shortest: number
  common: Messages['common']
}

export function ResetForm(props: Props) {
  const { token, email, returnTo, words, password, shortest, common } = props
  const [state, action] = useActionState<ResetState, FormData>(chooseNewPassword, {})
  const problems = problemsOf(state, props)
  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={common.problem} problems={problems} />}
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="returnTo" value={returnTo} />
      {/* Password managers file the new password under this name. */}
      <input hidden type="text" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        name="password"
        label={words.password}
        error={problems.find(({ field }) => field === 'password')?.text}
        shortest={shortest}
        words={password}
        common={common}
      />
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function problemsOf({ problem }: ResetState, { words, password, shortest }: Props): Problem[] {
  if (!problem) return []
  if (problem === 'link') return [{ text: words.closed }]
  return [passwordProblems(password, shortest)[problem]]
}
