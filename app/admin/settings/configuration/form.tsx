'use client'

import { useActionState } from 'react'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { FileOrText } from '../../_ui/file-or-text'
import { applyConfiguration, type ConfigurationState } from './actions'

type Words = Messages['admin']['configuration']

export function ConfigurationForm({ words, problem }: { words: Words; problem: string }) {
  const [state, send] = useActionState<ConfigurationState, FormData>(applyConfiguration, {})
  const { problems = [], document = '', changes } = state
  return (
    <div className="grid gap-8">
      <FileOrText
        name="document"
        accept=".json,application/json"
        text={document}
        title={problem}
        words={{ ...words, text: words.document }}
        send={send}
        problems={problems}
      />
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
