'use client'

import { type ChangeEvent, useActionState, useState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { useLocale } from '@/app/_ui/locale'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import type { Plural } from '@/lib/i18n/plural'
import { minutesText } from '@/lib/i18n/wait'
import { type PictureState, uploadPicture } from './actions'

type Words = Messages['account']['picture']
type Props = {
  largest: number
  words: Words
  slowDown: Plural
  common: Messages['common']
}

export function PictureForm({ largest, words, slowDown, common }: Props) {
  const [state, action] = useActionState<PictureState, FormData>(uploadPicture, {})
  const locale = useLocale()
  const waitFor = (seconds: number) => minutesText(locale, slowDown, seconds)
  const [tooLarge, setTooLarge] = useState(false)
  const error = tooLarge ? words.problems.picture_large : errorOf(state, words, waitFor)
  const field = { name: 'picture', label: words.file, hint: words.fileHint, error }
  // Said before megabytes travel for nothing; without script the answer says the same.
  const look = ({ target }: ChangeEvent<HTMLInputElement>) =>
    setTooLarge((target.files?.[0]?.size ?? 0) > largest)

  return (
    <form
      action={action}
      onSubmit={(event) => tooLarge && event.preventDefault()}
      noValidate
      className="grid max-w-[26rem] gap-6"
    >
      {error && (
        <ErrorSummary title={common.problem} problems={[{ field: 'picture', text: error }]} />
      )}
      <Field words={field}>
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          className={`${inputClass} file:me-4 file:min-h-8 file:rounded-control file:border file:border-edge file:bg-paper file:px-3 file:font-semibold file:text-ink`}
          onChange={look}
          required
          {...fieldIds(field)}
        />
      </Field>
      <div>
        <SubmitButton label={words.submit} busyLabel={words.submitting} />
      </div>
    </form>
  )
}

function errorOf(
  { problem, retryAfterSeconds = 60 }: PictureState,
  words: Words,
  waitFor: (seconds: number) => string,
): string | undefined {
  if (problem !== 'slow_down') return problem && words.problems[problem]
  return waitFor(retryAfterSeconds)
}
