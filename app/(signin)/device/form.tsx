'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { useLocale } from '@/app/_ui/locale'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Locale, Messages } from '@/lib/i18n'
import { minutesText } from '@/lib/i18n/wait'
import { type CodeState, sendCode } from './actions'

type Words = Messages['device']

export function CodeForm({ typed, words }: { typed: string; words: Words }) {
  const [state, action] = useActionState<CodeState, FormData>(sendCode, { typed })
  const error = problemOf(state, words, useLocale())
  const field = { name: 'user_code', label: words.code, hint: words.codeHint, error }
  return (
    <form action={action} noValidate className="grid gap-6">
      {error && (
        <ErrorSummary title={words.problem} problems={[{ field: field.name, text: error }]} />
      )}
      <Field words={field}>
        <input
          type="text"
          className={`${inputClass} py-3! text-center font-mono text-title! uppercase tracking-[0.15em]`}
          {...fieldIds(field)}
          defaultValue={state.typed}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          required
        />
      </Field>
      <SubmitButton wide label={words.next} busyLabel={words.nextBusy} />
    </form>
  )
}

/** More than any code, also with a space after each letter. */
const MAX_LENGTH = 32

function problemOf(
  { problem, retryAfterSeconds = 60 }: CodeState,
  words: Words,
  locale: Locale,
): string | undefined {
  if (problem === 'slow_down') return minutesText(locale, words.slowDown, retryAfterSeconds)
  return problem && words[problem]
}
