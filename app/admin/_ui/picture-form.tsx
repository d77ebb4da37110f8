'use client'

import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import type { FormState } from '@/lib/browser/api-form'
import { AdminForm, type FormWords, useProblem } from './form'

type Props = {
  action: (before: FormState, form: FormData) => Promise<FormState>
  place: string
  hidden: Record<string, string>
  label: string
  words: FormWords
}

export function PictureForm({ action, place, hidden, label, words }: Props) {
  return (
    <AdminForm action={action} words={words} hidden={{ ...hidden, place }} quiet>
      <FileField name={`picture-${place}`} label={label} />
    </AdminForm>
  )
}

function FileField({ name, label }: { name: string; label: string }) {
  const words = { name, label, error: useProblem(name) }
  return (
    <Field words={words}>
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        className={`${inputClass} file:me-4 file:min-h-8 file:rounded-control file:border file:border-edge file:bg-paper file:px-3 file:font-semibold file:text-ink`}
        {...fieldIds(words)}
      />
    </Field>
  )
}
