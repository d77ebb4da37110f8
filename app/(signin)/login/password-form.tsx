'use client'

import { Badge } from '@/app/_ui/badge'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { LeavingButton } from '@/app/_ui/leaving-button'
import { useLocale } from '@/app/_ui/locale'
import { PasskeyCapable } from '@/app/_ui/passkey-capable'
import { PasswordField } from '@/app/_ui/password-field'
import { type PasswordProblem, problemOf } from './problem'
import type { PasswordWords, ToggleWords } from './words'

type Props = {
  action: string | undefined
  returnTo: string
  identifier: string
  problem: PasswordProblem | null
  lastUsed: boolean
  words: PasswordWords
  toggle: ToggleWords
}

/** The browser itself sends it; lib/browser/page-forms.ts takes it. */
export function PasswordForm(props: Props) {
  const { action, returnTo, identifier, lastUsed, words, toggle } = props
  const problem = problemOf(props.problem, words, useLocale())
  const change = new URLSearchParams({
    login_hint: identifier,
    ...(returnTo !== '/' && { returnTo }),
  })

  return (
    <form method="post" action={action} noValidate className="grid gap-6">
      {problem && <ErrorSummary title={problem.title} problems={[problem]} />}
      <input type="hidden" name="returnTo" value={returnTo} />
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
        <LeavingButton wide label={words.submit} busyLabel={words.submitting} />
        {lastUsed && <Badge>{words.lastUsed}</Badge>}
      </div>
    </form>
  )
}
