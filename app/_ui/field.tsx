import type { ReactNode } from 'react'

export const inputClass = 'text-input'

export type FieldWords = {
  name: string
  label: string
  /** Behind the label, such as “optional”. */
  mark?: string | undefined
  hint?: string | undefined
  error?: string | undefined
}

export function fieldIds({ name, hint, error }: FieldWords) {
  const described = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
  } as const
}

type Props = { words: FieldWords; aside?: ReactNode; children: ReactNode }

export function Field({ words: { name, label, mark, hint, error }, aside, children }: Props) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={name} className="font-semibold">
          {label}
          {mark && <span className="font-normal text-muted"> ({mark})</span>}
        </label>
        {aside}
      </div>
      {hint && (
        <p id={`${name}-hint`} className="text-small text-muted">
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p id={`${name}-error`} className="text-small font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
