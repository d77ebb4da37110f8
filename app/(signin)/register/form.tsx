'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { NewPersonFields, newPersonProblems } from '@/app/_ui/new-person-fields'
import { passwordProblems } from '@/app/_ui/password-problems'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Locale, Messages } from '@/lib/i18n'
import { minutesText } from '@/lib/i18n/wait'
import { createAccount, type RegisterProblem, type RegisterState } from './actions'

type Words = Messages['mail']['register'] & Pick<Messages['mail'], 'slowDown' | 'slowDownNext'>
type Props = {
  returnTo: string
  words: Words
  setup: Messages['setup']
  password: Messages['password']
  shortest: number
  common: Messages['common']
}

const START: RegisterState = { name: '', email: '', problems: [] }

export function RegisterForm({ returnTo, words, setup, password, shortest, common }: Props) {
  const [state, action] = useActionState(createAccount, START)
  const locale = useLocale()
  const table = {
    ...explanations(state, words, setup, locale),
    ...passwordProblems(password, shortest),
  }
  const problems = state.problems.map((problem) => table[problem])
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text
  const title = state.retryAfterSeconds ? words.slowDown : common.problem

  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={title} problems={problems} />}
      <input type="hidden" name="returnTo" value={returnTo} />
      <NewPersonFields
        typed={state}
        words={setup}
        errorOf={errorOf}
        password={password}
        shortest={shortest}
        common={common}
      />
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function explanations(
  { retryAfterSeconds = 0 }: RegisterState,
  words: Words,
  setup: Messages['setup'],
  locale: Locale,
): Record<Exclude<RegisterProblem, `password_${string}`>, Problem> {
  return {
    closed: { text: words.closed },
    slow_down: { text: minutesText(locale, words.slowDownNext, retryAfterSeconds) },
    ...newPersonProblems(setup),
  }
}
