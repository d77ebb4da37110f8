'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { NewPersonFields, newPersonProblems } from '@/app/_ui/new-person-fields'
import { passwordProblems } from '@/app/_ui/password-problems'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { type SetUpProblem, type SetUpState, setUp } from './actions'

type Words = Messages['setup']
type Props = {
  token: string
  words: Words
  password: Messages['password']
  shortest: number
  common: Messages['common']
}

const START: SetUpState = { name: '', email: '', problems: [] }

export function SetUpForm({ token, words, password, shortest, common }: Props) {
  const [state, action] = useActionState(setUp, START)
  const table = { ...explanations(words), ...passwordProblems(password, shortest) }
  const problems = state.problems.map((problem) => table[problem])
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text

  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={common.problem} problems={problems} />}
      <input type="hidden" name="token" value={token} />
      <NewPersonFields typed={state} words={words} {...{ errorOf, password, shortest, common }} />
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function explanations(words: Words): Record<Exclude<SetUpProblem, `password_${string}`>, Problem> {
  return {
    link: { text: words.linkClosed },
    ...newPersonProblems(words),
  }
}
