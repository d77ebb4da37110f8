'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { NewPasswordField } from '@/app/_ui/new-password-field'
import { PasswordField } from '@/app/_ui/password-field'
import { passwordProblems } from '@/app/_ui/password-problems'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import type { Text } from '@/lib/i18n/text'
import { choosePassword, type PasswordState } from './actions'

type Words = Messages['account']['password']
type Props = {
  who: string
  words: Words
  rules: Messages['password']
  shortest: number
  slowDown: Text<'minutes'>
  common: Messages['common']
}

export function PasswordForm(props: Props) {
  const { who, words, rules, shortest, common } = props
  const [state, action] = useActionState<PasswordState, FormData>(choosePassword, {})
  const problems = problemsOf(state, props)
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text

  return (
    <form action={action} noValidate className="grid max-w-[26rem] gap-6">
      {problems.length > 0 && <ErrorSummary title={common.problem} problems={problems} />}
      <input type="hidden" name="username" autoComplete="username" value={who} />
      <PasswordField
        name="current"
        label={words.current}
        error={errorOf('current')}
        autoComplete="current-password"
        words={common}
      />
      <NewPasswordField
        name="next"
        label={words.next}
        error={errorOf('next')}
        shortest={shortest}
        words={rules}
        common={common}
      />
      <div>
        <SubmitButton label={words.submit} busyLabel={words.submitting} />
      </div>
    </form>
  )
}

function problemsOf(
  { missing, problem, retryAfterSeconds }: PasswordState,
  { words, rules, shortest, slowDown }: Props,
): Problem[] {
  const about = passwordProblems(rules, shortest, 'next')
  const currentMissing = { field: 'current', text: words.currentMissing }
  if (missing) {
    return missing.map((field) => (field === 'next' ? about.password_missing : currentMissing))
  }
  if (!problem) return []
  const minutes = String(Math.ceil((retryAfterSeconds ?? 60) / 60))
  const texts: Record<typeof problem, Problem> = {
    ...about,
    current_wrong: { field: 'current', text: words.currentWrong },
    same: { field: 'next', text: words.same },
    slow_down: { text: fill(slowDown, { minutes }) },
  }
  return [texts[problem]]
}
