'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { NewPasswordField } from '@/app/_ui/new-password-field'
import { passwordProblems } from '@/app/_ui/password-problems'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { accept, type InviteState } from './actions'

type Props = {
  token: string
  email: string
  words: Messages['mail']['invite']
  password: Messages['password']
  shortest: number
  common: Messages['common']
}

export function InviteForm(props: Props) {
  const { token, email, words, password, shortest, common } = props
  const [state, action] = useActionState<InviteState, FormData>(accept, {})
  const problem = problemOf(state, props)
  return (
    <form action={action} noValidate className="grid gap-6">
      {problem && <ErrorSummary title={common.problem} problems={[problem]} />}
      <input type="hidden" name="token" value={token} />
      {/* Password managers file the new password under this name. */}
      <input hidden type="text" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        name="password"
        label={words.password}
        error={problem?.field && problem.text}
        shortest={shortest}
        words={password}
        common={common}
      />
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function problemOf({ problem }: InviteState, { words, password, shortest }: Props): Problem | null {
  if (!problem) return null
  if (problem === 'link') return { text: words.closed }
  return passwordProblems(password, shortest)[problem]
}
