'use client'

import { useActionState } from 'react'
import { CodeField } from '@/app/_ui/code-field'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import type { Text } from '@/lib/i18n/text'
import { type AuthenticatorState, confirmAuthenticator } from './actions'

type Words = Messages['account']['authenticator']
type Props = {
  id: string
  returnTo: string
  words: Words
  slowDown: Text<'minutes'>
  problemTitle: string
}

export function AuthenticatorForm({ id, returnTo, words, slowDown, problemTitle }: Props) {
  const [state, action] = useActionState<AuthenticatorState, FormData>(confirmAuthenticator, {
    name: '',
  })
  const problem = problemOf(state, words, slowDown)

  return (
    <form action={action} noValidate className="grid gap-6">
      {problem && <ErrorSummary title={problemTitle} problems={[problem]} />}
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <CodeField label={words.code} error={problem?.field === 'code' ? problem.text : undefined} />
      <TextField
        name="name"
        label={words.name}
        hint={words.nameHint}
        defaultValue={state.name}
        autoComplete="off"
        maxLength={60}
      />
      <div>
        <SubmitButton label={words.submit} busyLabel={words.submitting} />
      </div>
    </form>
  )
}

function problemOf(
  { problem, retryAfterSeconds }: AuthenticatorState,
  words: Words,
  slowDown: Text<'minutes'>,
): Problem | null {
  if (!problem) return null
  const minutes = String(Math.ceil((retryAfterSeconds ?? 60) / 60))
  const texts: Record<typeof problem, Problem> = {
    missing: { field: 'code', text: words.codeMissing },
    wrong: { field: 'code', text: words.wrong },
    expired: { text: words.expired },
    slow_down: { text: fill(slowDown, { minutes }) },
  }
  return texts[problem]
}
