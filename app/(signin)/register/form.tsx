'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { NewPasswordField } from '@/app/_ui/new-password-field'
import { passwordProblems } from '@/app/_ui/password-problems'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
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
  const table = {
    ...explanations(state, words, setup),
    ...passwordProblems(password, shortest),
  }
  const problems = state.problems.map((problem) => table[problem])
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text
  const title = state.retryAfterSeconds ? words.slowDown : common.problem

  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={title} problems={problems} />}
      <input type="hidden" name="returnTo" value={returnTo} />
      <TextField
        name="name"
        label={setup.name}
        error={errorOf('name')}
        defaultValue={state.name}
        autoComplete="name"
        required
      />
      <TextField
        name="email"
        type="email"
        label={setup.email}
        hint={setup.emailHint}
        error={errorOf('email')}
        defaultValue={state.email}
        autoComplete="username"
        required
      />
      <NewPasswordField
        name="password"
        label={setup.password}
        error={errorOf('password')}
        shortest={shortest}
        words={password}
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
): Record<Exclude<RegisterProblem, `password_${string}`>, Problem> {
  const minutes = String(Math.ceil(retryAfterSeconds / 60))
  return {
    closed: { text: words.closed },
    slow_down: { text: fill(words.slowDownNext, { minutes }) },
    name_missing: { field: 'name', text: setup.nameMissing },
    name_long: { field: 'name', text: setup.nameLong },
    email_missing: { field: 'email', text: setup.emailMissing },
    email: { field: 'email', text: setup.emailWrong },
  }
}
