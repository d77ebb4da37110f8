'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { NewPasswordField } from '@/app/_ui/new-password-field'
import { PasswordField } from '@/app/_ui/password-field'
import { passwordProblems } from '@/app/_ui/password-problems'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Locale, Messages } from '@/lib/i18n'
import type { Plural } from '@/lib/i18n/plural'
import { minutesText } from '@/lib/i18n/wait'
import { choosePassword, type PasswordState } from './actions'

type Words = Messages['account']['password']
type Props = {
  who: string
  words: Words
  rules: Messages['password']
  shortest: number
  slowDown: Plural
  common: Messages['common']
}

export function PasswordForm(props: Props) {
  const { who, words, rules, shortest, common } = props
  const [state, action] = useActionState<PasswordState, FormData>(choosePassword, {})
  const problems = problemsOf(state, props, useLocale())
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
  locale: Locale,
): Problem[] {
  const about = passwordProblems(rules, shortest, 'next')
  const currentMissing = { field: 'current', text: words.currentMissing }
  if (missing) {
    return missing.map((field) => (field === 'next' ? about.password_missing : currentMissing))
  }
  if (!problem) return []
  const texts: Record<typeof problem, Problem> = {
    ...about,
    current_wrong: { field: 'current', text: words.currentWrong },
    same: { field: 'next', text: words.same },
    slow_down: { text: minutesText(locale, slowDown, retryAfterSeconds ?? 60) },
  }
  return [texts[problem]]
}
