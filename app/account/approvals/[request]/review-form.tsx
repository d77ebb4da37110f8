'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { FormState } from '@/lib/browser/api-form'
import type { Messages } from '@/lib/i18n'
import { review } from './review-actions'

type All = Messages['requests']['emergencies']
/** Without `unjustified` where this was found already. */
type Words = Pick<All, 'found' | 'foundHint' | 'justified' | 'reviewing'> & {
  unjustified?: string
}
type Props = { request: string; words: Words; problem: string }

export function ReviewForm({ request, words, problem }: Props) {
  const [{ problems = [], typed }, action] = useActionState<FormState, FormData>(review, {})
  const error = problems.find(({ field }) => field === 'reason')?.text
  const found = { name: 'reason', label: words.found, hint: words.foundHint, error }
  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={problem} problems={problems} />}
      <input type="hidden" name="request" value={request} />
      <Field words={found}>
        <textarea
          key={typed?.reason?.[0]}
          rows={3}
          className={inputClass}
          defaultValue={typed?.reason?.[0] ?? ''}
          {...fieldIds(found)}
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={words.justified} busyLabel={words.reviewing} answer="justified" />
        {words.unjustified !== undefined && (
          <QuietSubmit label={words.unjustified} busyLabel={words.reviewing} answer="unjustified" />
        )}
      </div>
    </form>
  )
}
