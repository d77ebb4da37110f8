'use client'

import { useActionState } from 'react'
import { Badge } from '@/app/_ui/badge'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { PasskeyCapable } from '@/app/_ui/passkey-capable'
import { PasswordField } from '@/app/_ui/password-field'
import { Scripted, useRedirect } from '@/app/_ui/scripted'
import { SubmitButton } from '@/app/_ui/submit-button'
import { signIn } from './actions'
import { problemOf } from './problem'
import type { PasswordWords, ToggleWords } from './words'

type Props = {
  returnTo: string
  identifier: string
  lastUsed: boolean
  words: PasswordWords
  toggle: ToggleWords
}

export function PasswordForm({ returnTo, identifier, lastUsed, words, toggle }: Props) {
  const [state, action] = useActionState(signIn, {})
  const problem = problemOf(state, words, useLocale())
  useRedirect(state)
  const change = new URLSearchParams({
    login_hint: identifier,
    ...(returnTo !== '/' && { returnTo }),
  })

  return (
    <form action={action} noValidate className="grid gap-6">
      {problem && <ErrorSummary title={problem.title} problems={[problem]} />}
      <input type="hidden" name="returnTo" value={returnTo} />
      <Scripted />
      <PasskeyCapable />
      <div className="flex items-center justify-between gap-4 rounded-control border border-line bg-raised ps-3.5 pe-2">
        <span className="min-w-0 py-2 font-medium [overflow-wrap:anywhere]">{identifier}</span>
        <a
          href={`/login?${change}`}
          aria-label={words.changeIdentifier}
          className="inline-flex min-h-11 items-center px-2 text-link"
        >
          {words.change}
        </a>
      </div>
      {/* For password managers: whose password it is. */}
      <input
        type="text"
        name="identifier"
        value={identifier}
        autoComplete="username"
        readOnly
        hidden
      />
      <PasswordField
        name="password"
        label={words.password}
        error={problem?.field === 'password' ? problem.text : undefined}
        autoComplete="current-password"
        words={toggle}
        autoFocus
      />
      <div className="grid justify-items-start gap-2">
        <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
        {lastUsed && <Badge>{words.lastUsed}</Badge>}
      </div>
    </form>
  )
}
