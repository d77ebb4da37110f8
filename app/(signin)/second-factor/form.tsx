'use client'

import { useActionState } from 'react'
import { CodeField } from '@/app/_ui/code-field'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { PasskeyButton } from '@/app/_ui/passkey-button'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Scripted, useRedirect } from '@/app/_ui/scripted'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import { worded } from '@/app/_ui/worded'
import type { RequestOptions } from '@/lib/accounts/passkeys'
import type { Locale, Messages } from '@/lib/i18n'
import { waitText } from '@/lib/i18n/wait'
import { proveSecondFactor, type SecondFactorState } from './actions'

type Words = Messages['secondFactor']
/** What it is asked for: an application's request, a page of ours, or the sign-in itself. */
export type SecondFactorFields = { interaction: string; raise: string; returnTo: string }

type Props = {
  about: SecondFactorFields
  /** Then it is about a session that is not there yet. */
  signingIn: boolean
  hasApp: boolean
  /** The offer to trust this browser; null where there is none. */
  trust: string | null
  passkey: RequestOptions | null
  words: Words
}

export function SecondFactorForm({ about, signingIn, hasApp, trust, passkey, words }: Props) {
  const [state, action] = useActionState<SecondFactorState, FormData>(proveSecondFactor, {})
  const problem = problemOf(state, words, useLocale())
  const errorOf = (field: string) => (problem?.field === field ? problem.text : undefined)
  useRedirect(state)

  return (
    <div className="grid gap-6">
      {problem && <ErrorSummary title={words.problem} problems={[problem]} />}
      {passkey && (
        <PasskeyButton
          options={passkey}
          send={action}
          fields={about}
          failed={state.given === 'passkey' ? problem?.text : undefined}
          words={words.passkey}
        />
      )}
      <form action={action} noValidate className="grid gap-6">
        {Object.entries(about).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Scripted />
        {hasApp && <Codes errorOf={errorOf} words={words} />}
        {hasApp && trust !== null && (
          <label className="flex items-center gap-3">
            <input type="checkbox" name="trust" value="yes" className="size-5 accent-accent" />
            {trust}
          </label>
        )}
        <div className="grid gap-3">
          {hasApp && <SubmitButton wide label={words.submit} busyLabel={words.submitting} />}
          <CancelButton label={signingIn ? words.startAgain : words.cancel} />
        </div>
      </form>
    </div>
  )
}

function CancelButton({ label }: { label: string }) {
  return <QuietSubmit answer="cancel" wide label={label} busyLabel={label} />
}

function Codes({
  errorOf,
  words,
}: {
  errorOf: (field: string) => string | undefined
  words: Words
}) {
  return (
    <>
      <CodeField label={words.code} error={errorOf('code')} />
      <details open={errorOf('recovery') !== undefined}>
        <summary className="w-fit cursor-pointer text-link">{words.useRecovery}</summary>
        <div className="mt-4">
          <TextField
            {...worded(words, 'recovery')}
            error={errorOf('recovery')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
          />
        </div>
      </details>
    </>
  )
}

function problemOf(state: SecondFactorState, words: Words, locale: Locale): Problem | null {
  const { problem, given = 'code', retryAfterSeconds = 60 } = state
  if (!problem) return null
  const wrong = {
    code: { field: 'code', text: words.wrong },
    recovery: { field: 'recovery', text: words.recoveryWrong },
    passkey: { text: words.passkey.unknown },
  }
  return {
    missing: { field: 'code', text: words.missing },
    wrong: wrong[given],
    slow_down: { text: waitText(locale, words, retryAfterSeconds) },
    expired: { text: words.expired },
  }[problem]
}
