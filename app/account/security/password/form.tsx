'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { PasswordField } from '@/app/_ui/password-field'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { choosePassword, type PasswordState } from './actions'

type Words = Messages['account']['password']
type Rules = Pick<Messages['setup'], 'passwordShort' | 'passwordLong' | 'passwordCommon'>
type Props = {
  who: string
  words: Words
  rules: Rules
  slowDown: string
  common: Messages['common']
}

export function PasswordForm({ who, words, rules, slowDown, common }: Props) {
  const [state, action] = useActionState<PasswordState, FormData>(choosePassword, {})
  const problems = problemsOf(state, words, rules, slowDown)
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
      <PasswordField
        name="next"
        label={words.next}
        hint={words.nextHint}
        error={errorOf('next')}
        autoComplete="new-password"
        words={common}
      />
      <div>
        <SubmitButton label={words.submit} busyLabel={words.submitting} />
      </div>
    </form>
  )
}

function problemsOf(
  { missing, problem, retryAfterSeconds }: PasswordState,
  words: Words,
  rules: Rules,
  slowDown: string,
): Problem[] {
  if (missing) return missing.map((field) => ({ field, text: words[`${field}Missing`] }))
  if (!problem) return []
  const minutes = String(Math.ceil((retryAfterSeconds ?? 60) / 60))
  const texts: Record<typeof problem, Problem> = {
    current_wrong: { field: 'current', text: words.currentWrong },
    same: { field: 'next', text: words.same },
    password_short: { field: 'next', text: rules.passwordShort },
    password_long: { field: 'next', text: rules.passwordLong },
    password_common: { field: 'next', text: rules.passwordCommon },
    slow_down: { text: fill(slowDown, { minutes }) },
  }
  return [texts[problem]]
}
