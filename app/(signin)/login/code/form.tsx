'use client'

import { useActionState } from 'react'
import { CodeField } from '@/app/_ui/code-field'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { Scripted, useRedirect } from '@/app/_ui/scripted'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Locale, Messages } from '@/lib/i18n'
import { slowDownText } from '../problem'
import type { WaitWords } from '../words'
import { type CodeState, signInByCode } from './actions'

type Words = Pick<Messages['signInCode'], 'code' | 'problem' | 'missing' | 'wrong' | 'void'> &
  Pick<Messages['login'], 'submit' | 'submitting'> &
  WaitWords

/** `code`: the link in the mail brought it, so that nobody has to type it. */
type Props = { returnTo: string; code: string | null; words: Words }

export function CodeForm({ returnTo, code, words }: Props) {
  const [state, action] = useActionState(signInByCode, {})
  const problem = problemOf(state, words, useLocale(), code === null)
  useRedirect(state)
  return (
    <form action={action} noValidate className="grid gap-6">
      {problem && <ErrorSummary title={words.problem} problems={[problem]} />}
      <input type="hidden" name="returnTo" value={returnTo} />
      <Scripted />
      {code === null ? (
        <CodeField label={words.code} error={problem?.field && problem.text} />
      ) : (
        <input type="hidden" name="code" value={code} />
      )}
      <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
    </form>
  )
}

function problemOf(
  { problem, retryAfterSeconds }: CodeState,
  words: Words,
  locale: Locale,
  isTyped: boolean,
): Problem | null {
  if (!problem) return null
  const field = isTyped ? { field: 'code' } : {}
  return {
    missing: { ...field, text: words.missing },
    mismatch: { ...field, text: words.wrong },
    void: { text: words.void },
    slow_down: { text: slowDownText(retryAfterSeconds, words, locale) },
  }[problem]
}
