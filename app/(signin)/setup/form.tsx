'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { PasswordField } from '@/app/_ui/password-field'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import { type SetUpProblem, type SetUpState, setUp } from './actions'

type Words = Messages['setup']
type Props = { token: string; words: Words; common: Messages['common'] }

const START: SetUpState = { name: '', email: '', problems: [] }

export function SetUpForm({ token, words, common }: Props) {
  const [state, action] = useActionState(setUp, START)
  const problems = state.problems.map((problem) => explain(problem, words))
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text

  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={common.problem} problems={problems} />}
      <input type="hidden" name="token" value={token} />
      <TextField
        name="name"
        label={words.name}
        error={errorOf('name')}
        defaultValue={state.name}
        autoComplete="name"
        required
      />
      <TextField
        name="email"
        type="email"
        label={words.email}
        hint={words.emailHint}
        error={errorOf('email')}
        defaultValue={state.email}
        autoComplete="username"
        required
      />
      <PasswordField
        name="password"
        label={words.password}
        hint={words.passwordHint}
        error={errorOf('password')}
        autoComplete="new-password"
        words={common}
      />
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function explain(problem: SetUpProblem, words: Words): Problem {
  const table: Record<SetUpProblem, Problem> = {
    link: { text: words.linkClosed },
    name_missing: { field: 'name', text: words.nameMissing },
    name_long: { field: 'name', text: words.nameLong },
    email_missing: { field: 'email', text: words.emailMissing },
    email: { field: 'email', text: words.emailWrong },
    password_missing: { field: 'password', text: words.passwordMissing },
    password_short: { field: 'password', text: words.passwordShort },
    password_long: { field: 'password', text: words.passwordLong },
    password_common: { field: 'password', text: words.passwordCommon },
  }
  return table[problem]
}
