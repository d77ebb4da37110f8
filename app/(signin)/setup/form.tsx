'use client'

import { useActionState, useRef } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { NewPasskeyButton, type NewPasskeyProblems } from '@/app/_ui/new-passkey-button'
import { NewPersonFields, newPersonProblems } from '@/app/_ui/new-person-fields'
import { passwordProblems } from '@/app/_ui/password-problems'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { CreationOptions } from '@/lib/accounts/passkeys'
import type { Messages } from '@/lib/i18n'
import { type SetUpProblem, type SetUpState, setUp } from './actions'

type PasskeyWords = Pick<Messages['firstRun'], 'or' | 'passkey' | 'passkeyWaiting' | 'passkeyWrong'>
type Words = Messages['setup'] & PasskeyWords
type Props = {
  token: string
  /** For whom a passkey is made, if the first admin wants one. */
  userId: string
  options: CreationOptions
  words: Words
  failures: NewPasskeyProblems
  password: Messages['password']
  shortest: number
  common: Messages['common']
}

const START: SetUpState = { name: '', email: '', problems: [] }

export function SetUpForm({ token, userId, options, failures, ...texts }: Props) {
  const { words, password, shortest, common } = texts
  const [state, action] = useActionState(setUp, START)
  const form = useRef<HTMLFormElement>(null)
  const table = { ...explanations(words), ...passwordProblems(password, shortest) }
  const problems = state.problems.map((problem) => table[problem])
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text

  return (
    <div className="grid gap-6">
      <form ref={form} action={action} noValidate className="grid gap-6">
        {problems.length > 0 && <ErrorSummary title={common.problem} problems={problems} />}
        <input type="hidden" name="token" value={token} />
        <NewPersonFields typed={state} errorOf={errorOf} {...texts} />
        <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
      </form>
      <p className="needs-script flex items-center gap-4 text-muted text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {words.or}
      </p>
      <NewPasskeyButton
        options={options}
        user={() => typedIn(form.current)}
        send={action}
        fields={() => ({ token, userId, ...typedIn(form.current) })}
        quiet
        wide
        words={{ create: words.passkey, waiting: words.passkeyWaiting }}
        failures={failures}
      />
    </div>
  )
}

/** Null while the name or the address is missing; the browser says which. */
function typedIn(form: HTMLFormElement | null): { name: string; email: string } | null {
  const inputs = ['name', 'email'].map((name) => form?.elements.namedItem(name))
  const [name, email] = inputs.flatMap((input) =>
    input instanceof HTMLInputElement && input.reportValidity() ? [input.value] : [],
  )
  return name !== undefined && email !== undefined ? { name, email } : null
}

function explanations(words: Words): Record<Exclude<SetUpProblem, `password_${string}`>, Problem> {
  return {
    link: { text: words.linkClosed },
    passkey: { text: words.passkeyWrong },
    ...newPersonProblems(words),
  }
}
