'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { applyConfiguration, type ConfigurationState } from './actions'

type Words = Messages['admin']['configuration']

export function ConfigurationForm({ words, problem }: { words: Words; problem: string }) {
  const [state, send] = useActionState<ConfigurationState, FormData>(applyConfiguration, {})
  const { problems = [], document = '', changes } = state
  const pasted = { name: 'document', label: words.document, error: problems[0]?.text }
  return (
    <div className="grid gap-8">
      <form action={send} noValidate className="grid gap-6">
        {problems.length > 0 && <ErrorSummary title={problem} problems={problems} />}
        <Field words={{ name: 'file', label: words.file }}>
          <input
            type="file"
            accept=".json,application/json"
            className="text-body file:me-3 file:min-h-10 file:cursor-pointer file:rounded-control file:border file:border-edge file:bg-raised file:px-4 file:font-semibold file:text-ink"
            {...fieldIds({ name: 'file', label: words.file })}
          />
        </Field>
        <Field words={pasted}>
          <textarea
            key={document}
            rows={10}
            defaultValue={document}
            spellCheck={false}
            className={`${inputClass} font-mono text-small!`}
            {...fieldIds(pasted)}
          />
        </Field>
        <div>
          <SubmitButton label={words.check} busyLabel={words.checking} />
        </div>
      </form>
      {changes && <Changes changes={changes} document={document} send={send} words={words} />}
    </div>
  )
}

type ChangesProps = {
  changes: string[]
  document: string
  send: (form: FormData) => void
  words: Words
}

function Changes({ changes, document, send, words }: ChangesProps) {
  if (changes.length === 0) {
    return (
      <p role="status" className="font-medium">
        {words.nothing}
      </p>
    )
  }
  const count = String(changes.length)
  return (
    <section role="status" className="grid gap-4">
      <div className="grid gap-1">
        <h3 className="font-semibold text-lead">{words.changes}</h3>
        <p className="text-muted">{words.changesText}</p>
      </div>
      <ul className="code grid max-h-96 gap-1 overflow-auto rounded-panel border border-line px-4 py-3 text-small">
        {changes.map((line) => (
          <li key={line} className="[overflow-wrap:anywhere]">
            {line}
          </li>
        ))}
      </ul>
      <form action={send}>
        <input type="hidden" name="document" value={document} />
        <input type="hidden" name="confirmed" value="yes" />
        <SubmitButton
          label={changes.length === 1 ? words.goOne : fill(words.go, { count })}
          busyLabel={words.going}
        />
      </form>
    </section>
  )
}
