import type { ComponentProps } from 'react'
import { Field, type FieldWords, fieldIds, inputClass } from './field'

type Props = FieldWords & Omit<ComponentProps<'input'>, keyof FieldWords | 'id' | 'className'>

export function TextField({ name, label, hint, error, type = 'text', ...input }: Props) {
  const words = { name, label, hint, error }
  return (
    <Field words={words}>
      <input type={type} className={inputClass} {...fieldIds(words)} {...input} />
    </Field>
  )
}
