'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { SubmitButton } from '@/app/_ui/submit-button'
import { ATTRIBUTE_FIELD, attributeToText } from '@/lib/settings/attribute-text'
import type { UserAttribute } from '@/lib/settings/model'
import { type AttributesState, changeAttributes } from './actions'

type Words = {
  title: string
  save: string
  saving: string
  problem: string
  wrong: string
  conflict: string
  yes: string
  no: string
  listHint: string
}
type Props = {
  open: readonly UserAttribute[]
  values: Readonly<Record<string, unknown>>
  words: Words
}

/** Attributes that users write about themselves. */
export function AttributesForm({ open, values, words }: Props) {
  const [state, action] = useActionState<AttributesState, FormData>(changeAttributes, {})
  const problems = problemsOf(state, words)
  return (
    <form action={action} noValidate className="grid gap-5">
      <h2 className="font-semibold text-lead">{words.title}</h2>
      {problems.length > 0 && <ErrorSummary title={words.problem} problems={problems} />}
      {open.map((attribute) => (
        <AttributeField
          key={`${attribute.key} ${state.typed ? 'sent' : 'first'}`}
          attribute={attribute}
          value={state.typed?.[attribute.key] ?? attributeToText(values[attribute.key])}
          error={problems.find(({ field }) => field === ATTRIBUTE_FIELD + attribute.key)?.text}
          words={words}
        />
      ))}
      <div>
        <SubmitButton label={words.save} busyLabel={words.saving} />
      </div>
    </form>
  )
}

type FieldProps = {
  attribute: UserAttribute
  value: string
  error: string | undefined
  words: Words
}

function AttributeField({ attribute: { key, name, type }, value, error, words }: FieldProps) {
  const hint = type === 'list' ? words.listHint : undefined
  const field = { name: ATTRIBUTE_FIELD + key, label: name, hint, error }
  const input = { className: inputClass, defaultValue: value, ...fieldIds(field) }
  return (
    <Field words={field}>
      {type === 'boolean' ? (
        <select {...input}>
          <option value="">–</option>
          <option value="yes">{words.yes}</option>
          <option value="no">{words.no}</option>
        </select>
      ) : type === 'list' ? (
        <textarea rows={3} {...input} />
      ) : (
        <input type="text" inputMode={type === 'number' ? 'decimal' : undefined} {...input} />
      )}
    </Field>
  )
}

function problemsOf({ wrong }: AttributesState, words: Words): Problem[] {
  if (wrong === undefined) return []
  if (wrong === null) return [{ text: words.conflict }]
  return [{ field: ATTRIBUTE_FIELD + wrong, text: words.wrong }]
}
