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
      <Reason words={words} typed={typed?.reason?.[0]} error={errorAt('reason')} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={words.approve} busyLabel={words.approving} answer="approve" />
        <QuietSubmit label={words.deny} busyLabel={words.denying} answer="deny" />
      </div>
    </form>
  )
}

type DenialProps = {
  request: string
  words: Pick<Words, 'why' | 'whyHint' | 'deny' | 'denying'>
  problem: string
}

export function DenialForm({ request, words, problem }: DenialProps) {
  const [{ problems = [], typed }, action] = useActionState<FormState, FormData>(decide, {})
  const error = problems.find(({ field }) => field === 'reason')?.text
  return (
    <form action={action} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={problem} problems={problems} />}
      <input type="hidden" name="request" value={request} />
      <Reason words={words} typed={typed?.reason?.[0]} error={error} />
      <div>
        <QuietSubmit label={words.deny} busyLabel={words.denying} answer="deny" />
      </div>
    </form>
  )
}

type ReasonProps = {
  words: Pick<Words, 'why' | 'whyHint'>
  typed: string | undefined
  error: string | undefined
}

function Reason({ words, typed, error }: ReasonProps) {
  const why = { name: 'reason', label: words.why, hint: words.whyHint, error }
  return (
    <Field words={why}>
      <textarea
        key={typed}
        rows={3}
        className={inputClass}
        defaultValue={typed ?? ''}
        {...fieldIds(why)}
      />
    </Field>
  )
}
