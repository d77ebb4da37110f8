'use client'

import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { SubmitButton } from '@/app/_ui/submit-button'

type Props = {
  send: (form: FormData) => void
  /** The name of the text field; the file is `file`. */
  name: string
  accept: string
  text: string
  placeholder?: string
  words: { file: string; text: string; check: string; checking: string }
  /** Above the problems. */
  title: string
  problems: readonly Problem[]
}

/** A document as a file or as text; it is checked before anything is changed. */
export function FileOrText(props: Props) {
  const { send, name, accept, text, placeholder, words, title, problems } = props
  const file = { name: 'file', label: words.file }
  const pasted = { name, label: words.text, error: problems[0]?.text }
  return (
    <form action={send} noValidate className="grid gap-6">
      {problems.length > 0 && <ErrorSummary title={title} problems={[...problems]} />}
      <Field words={file}>
        <input
          type="file"
          accept={accept}
          className="text-body file:me-3 file:min-h-10 file:cursor-pointer file:rounded-control file:border file:border-edge file:bg-raised file:px-4 file:font-semibold file:text-ink"
          {...fieldIds(file)}
        />
      </Field>
      <Field words={pasted}>
        <textarea
          key={text}
          rows={10}
          defaultValue={text}
          placeholder={placeholder}
          spellCheck={false}
          className={`${inputClass} font-mono text-small!`}
          {...fieldIds(pasted)}
        />
      </Field>
      <div>
        <SubmitButton label={words.check} busyLabel={words.checking} />
      </div>
    </form>
  )
}
