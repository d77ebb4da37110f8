'use client'

import { useActionState } from 'react'
import { Scripted, useDeparture } from '@/app/_ui/departure'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { PasswordField } from '@/app/_ui/password-field'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { type LoginState, signIn } from './actions'

type Words = Messages['login']
type Props = {
  returnTo: string
  identifier: string
  words: Words
  common: Messages['common']
}

export function LoginForm({ returnTo, identifier, words, common }: Props) {
  const [state, action] = useActionState<LoginState, FormData>(signIn, { identifier })
  const problems = problemsOf(state, words)
  const title = state.problem ? titles(words)[state.problem] : common.problem
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text
  useDeparture(state)

  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={title} problems={problems} />}
      <input type="hidden" name="returnTo" value={returnTo} />
      <Scripted />
      <TextField
        name="identifier"
        label={words.identifier}
        error={errorOf('identifier')}
        defaultValue={state.identifier}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <PasswordField
        name="password"
        label={words.password}
        error={errorOf('password')}
        autoComplete="current-password"
        words={common}
      />
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function problemsOf({ problem, missing, retryAfterSeconds }: LoginState, words: Words): Problem[] {
  if (problem === 'mismatch') return [{ text: words.mismatchNext }]
  if (problem === 'slow_down') return [{ text: slowDownText(retryAfterSeconds ?? 0, words) }]
  return (missing ?? []).map((field) => ({ field, text: words[`${field}Missing`] }))
}

function titles(words: Words) {
  return { mismatch: words.mismatch, slow_down: words.slowDown }
}

function slowDownText(seconds: number, words: Words): string {
  const [unit, count] = seconds < 120 ? [words.seconds, seconds] : [words.minutes, seconds / 60]
  return fill(words.slowDownNext, { wait: fill(unit, { count: String(Math.ceil(count)) }) })
}
