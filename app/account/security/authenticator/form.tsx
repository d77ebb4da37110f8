'use client'

import { useActionState } from 'react'
import { CodeField } from '@/app/_ui/code-field'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import { worded } from '@/app/_ui/worded'
import type { Messages } from '@/lib/i18n'
import type { Plural } from '@/lib/i18n/plural'
import { minutesText } from '@/lib/i18n/wait'
import { type AuthenticatorState, confirmAuthenticator } from './actions'

type Words = Messages['account']['authenticator']
type Props = {
  id: string
  returnTo: string
  words: Words
  slowDown: Plural
  problemTitle: string
}

export function AuthenticatorForm({ id, returnTo, words, slowDown, problemTitle }: Props) {
  const locale = useLocale()
  const [state, action] = useActionState<AuthenticatorState, FormData>(confirmAuthenticator, {
    name: '',
  })
  const problem = problemOf(state, words, (seconds) => minutesText(locale, slowDown, seconds))

  return (
    <form action={action} noValidate className="grid gap-6">
      {problem && <ErrorSummary title={problemTitle} problems={[problem]} />}
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <CodeField label={words.code} error={problem?.field === 'code' ? problem.text : undefined} />
      <TextField
        {...worded(words, 'name')}
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
  waitFor: (seconds: number) => string,
): Problem | null {
  if (!problem) return null
  const texts: Record<typeof problem, Problem> = {
    missing: { field: 'code', text: words.codeMissing },
    wrong: { field: 'code', text: words.wrong },
    expired: { text: words.expired },
    slow_down: { text: waitFor(retryAfterSeconds ?? 60) },
  }
  return texts[problem]
}
