import type { FieldWords } from './field'
import { TextField } from './text-field'

/** Six digits in one field, so that they can be pasted and filled in. */
export function CodeField(words: Omit<FieldWords, 'name'>) {
  return (
    <TextField
      name="code"
      {...words}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={10}
      required
    />
  )
}
