'use client'

import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { AdminForm, type FormWords, useProblem } from '../../../_ui/form'
import { uploadLogo } from './actions'

type Props = {
  theme: string
  hidden: Record<string, string>
  label: string
  words: FormWords
}

export function LogoForm({ theme, hidden, label, words }: Props) {
  return (
    <AdminForm action={uploadLogo} words={words} hidden={{ ...hidden, theme }}>
      <FileField name={`picture-${theme}`} label={label} />
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
