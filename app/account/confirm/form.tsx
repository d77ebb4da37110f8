'use client'

import { useActionState } from 'react'
import { CodeField } from '@/app/_ui/code-field'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { LinkButton } from '@/app/_ui/link-button'
import { useLocale } from '@/app/_ui/locale'
import { PasskeyButton } from '@/app/_ui/passkey-button'
import { PasswordField } from '@/app/_ui/password-field'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { RequestOptions } from '@/lib/accounts/passkeys'
import type { Messages } from '@/lib/i18n'
import { waitText } from '@/lib/i18n/wait'
import { type ConfirmState, confirmIdentity } from './actions'

type Words = Messages['account']['confirm']
type SlowDownWords = Pick<Messages['account'], 'slowDown' | 'slowDownHours'>
type Props = {
  returnTo: string
  who: string
  hasPassword: boolean
  hasApp: boolean
  passkey: RequestOptions | null
  passkeys: Messages['passkeys']
  words: Words
  slowDown: SlowDownWords
  common: Messages['common']
}

export function ConfirmForm(props: Props) {
  const { returnTo, who, hasPassword, hasApp, passkey, passkeys, words, slowDown, common } = props
  const locale = useLocale()
  const [state, action] = useActionState<ConfirmState, FormData>(confirmIdentity, {})
  const problem = problemOf(state, words, (seconds) => waitText(locale, slowDown, seconds))
  const errorOf = (field: string) => (problem?.field === field ? problem.text : undefined)

  return (
    <div className="grid gap-6">
      {problem && <ErrorSummary title={words.problem} problems={[problem]} />}
      {passkey && (
        <PasskeyButton
          options={passkey}
          send={action}
          fields={{ returnTo, method: 'passkey' }}
          failed={state.method === 'passkey' && state.problem ? passkeys.confirmWrong : undefined}
          words={passkeys.confirm}
        />
      )}
      {hasPassword && (
        <form action={action} noValidate className="grid gap-6">
          <input type="hidden" name="returnTo" value={returnTo} />
          <input type="hidden" name="method" value="password" />
          <input type="hidden" name="username" autoComplete="username" value={who} />
          <PasswordField
            name="password"
            label={words.password}
            error={errorOf('password')}
            autoComplete="current-password"
            words={common}
          />
          <div className="flex flex-wrap gap-3">
            <SubmitButton label={words.submit} busyLabel={words.submitting} />
            <LinkButton href="/account/security" tone="quiet">
              {words.cancel}
            </LinkButton>
          </div>
        </form>
      )}
      {hasApp && (
        <details open={state.method === 'code'}>
          <summary className="w-fit cursor-pointer text-link">{words.useCode}</summary>
          <form action={action} noValidate className="mt-4 grid gap-5">
            <input type="hidden" name="returnTo" value={returnTo} />
            <input type="hidden" name="method" value="code" />
            <CodeField label={words.code} error={errorOf('code')} />
            <div>
              <SubmitButton label={words.submit} busyLabel={words.submitting} />
            </div>
          </form>
        </details>
      )}
      {!hasPassword && (
        <div>
          <LinkButton href="/account/security" tone="quiet">
            {words.cancel}
          </LinkButton>
        </div>
      )}
    </div>
  )
}

function problemOf(
  { method = 'password', problem, retryAfterSeconds }: ConfirmState,
  words: Words,
  waitFor: (seconds: number) => string,
): Problem | null {
  if (problem === 'slow_down') {
    return { text: waitFor(retryAfterSeconds ?? 60) }
  }
  if (!problem || method === 'passkey') return null // said beside the button
  const suffix = problem === 'missing' ? 'Missing' : 'Wrong'
  return { field: method, text: words[`${method}${suffix}`] }
}
