'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { NewPasskeyButton, type NewPasskeyProblems } from '@/app/_ui/new-passkey-button'
import { NewPasswordField } from '@/app/_ui/new-password-field'
import { passwordProblems } from '@/app/_ui/password-problems'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import type { CreationOptions } from '@/lib/accounts/passkeys'
import type { Messages } from '@/lib/i18n'
import { accept, type InviteState } from './actions'

type Props = {
  token: string
  email: string
  /** Null for somebody who may only choose a password. */
  options: CreationOptions | null
  failures: NewPasskeyProblems
  words: Messages['mail']['invite']
  password: Messages['password']
  shortest: number
  common: Messages['common']
}

export function InviteForm(props: Props) {
  const { token, email, options, failures, words, password, shortest, common } = props
  const [state, action] = useActionState<InviteState, FormData>(accept, {})
  const problem = problemOf(state, props)
  return (
    <div className="grid gap-6">
      {problem && <ErrorSummary title={common.problem} problems={[problem]} />}
      {options && (
        <>
          <NewPasskeyButton
            options={options}
            send={action}
            fields={() => ({ token })}
            wide
            words={{ create: words.passkey, waiting: words.passkeyWaiting }}
            failures={failures}
          />
          <p className="needs-script flex items-center gap-4 text-muted text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {words.or}
          </p>
        </>
      )}
      <form action={action} noValidate className="grid gap-6">
        <input type="hidden" name="token" value={token} />
        {/* Password managers file the new password under this name. */}
        <input hidden type="text" name="username" autoComplete="username" value={email} readOnly />
        <NewPasswordField
          name="password"
          label={words.password}
          error={problem?.field && problem.text}
          shortest={shortest}
          words={password}
          common={common}
        />
        <QuietSubmit wide label={words.submit} busyLabel={words.submitting} />
      </form>
    </div>
  )
}

function problemOf({ problem }: InviteState, { words, password, shortest }: Props): Problem | null {
  if (!problem) return null
  if (problem === 'link') return { text: words.closed }
  if (problem === 'passkey') return { text: words.passkeyWrong }
  return passwordProblems(password, shortest)[problem]
}
