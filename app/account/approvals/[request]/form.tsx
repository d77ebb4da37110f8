'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { FormState } from '@/lib/browser/api-form'
import type { Messages } from '@/lib/i18n'
import { decide } from './actions'

type Words = Pick<
  Messages['requests']['approvals'],
  'why' | 'whyHint' | 'howLong' | 'howLongHint' | 'approve' | 'approving' | 'deny' | 'denying'
>
type Props = {
  request: string
  ends: readonly (readonly [value: string, label: string])[]
  words: Words
  problem: string
}

export function DecisionForm({ request, ends, words, problem }: Props) {
  const [{ problems = [], typed }, action] = useActionState<FormState, FormData>(decide, {})
  const errorAt = (name: string) => problems.find(({ field }) => field === name)?.text
  const why = { name: 'reason', label: words.why, hint: words.whyHint, error: errorAt('reason') }
  const howLong = {
    name: 'until',
    label: words.howLong,
    hint: words.howLongHint,
    error: errorAt('until'),
  }
  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={problem} problems={problems} />}
      <input type="hidden" name="request" value={request} />
      <Field words={howLong}>
        <select
          key={typed?.until?.[0]}
          className={inputClass}
          defaultValue={typed?.until?.[0] ?? ''}
          {...fieldIds(howLong)}
        >
          {ends.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <Field words={why}>
        <textarea
          key={typed?.reason?.[0]}
          rows={3}
          className={inputClass}
          defaultValue={typed?.reason?.[0] ?? ''}
          {...fieldIds(why)}
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={words.approve} busyLabel={words.approving} answer="approve" />
        <QuietSubmit label={words.deny} busyLabel={words.denying} answer="deny" />
      </div>
    </form>
  )
}
