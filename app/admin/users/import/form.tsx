'use client'

import { useActionState } from 'react'
import { useLocale } from '@/app/_ui/locale'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { ImportedUser } from '@/lib/api/users/user-files'
import type { Messages } from '@/lib/i18n'
import { plural } from '@/lib/i18n/plural'
import { FileOrText } from '../../_ui/file-or-text'
import { type ImportState, importUsers } from './actions'

type Words = Messages['admin']['users']['importing']

export function ImportForm({ words, problem }: { words: Words; problem: string }) {
  const [state, send] = useActionState<ImportState, FormData>(importUsers, {})
  const { problems = [], csv = '', result } = state
  const locale = useLocale()
  if (result && !result.dryRun) {
    return (
      <p role="status" className="rounded-panel border border-accent bg-wash px-4 py-3 font-medium">
        {plural(locale, words.done, result.created)}
      </p>
    )
  }
  return (
    <div className="grid max-w-[46rem] gap-8">
      <FileOrText
        name="csv"
        accept=".csv,text/csv"
        text={csv}
        placeholder={words.example}
        title={problem}
        send={send}
        words={words}
        problems={problems}
      />
      {result && <Preview result={result} csv={csv} send={send} words={words} />}
    </div>
  )
}

type PreviewProps = {
  result: ImportedUser
  csv: string
  send: (form: FormData) => void
  words: Words
}

function Preview({ result, csv, send, words }: PreviewProps) {
  const locale = useLocale()
  return (
    <section className="grid gap-4">
      <h2 className="font-semibold text-lead">{words.result}</h2>
      <div className="max-h-96 overflow-auto rounded-panel border border-line bg-raised">
        <table className="w-full text-start text-small">
          <thead className="text-muted">
            <tr>
              {[words.row, words.who, words.outcome].map((label) => (
                <th key={label} scope="col" className="px-4 py-2 text-start">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {result.data.map(({ row, name, outcome, detail }) => (
              <tr key={row} className="border-line border-t">
                <td className="px-4 py-1.5">{row}</td>
                <td className="px-4 py-1.5 [overflow-wrap:anywhere]">{name}</td>
                <td className={`px-4 py-1.5 ${outcome === 'invalid' ? 'text-danger' : ''}`}>
                  {words.outcomes[outcome]}
                  {detail !== null && `: ${detail}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {result.created === 0 ? (
        <p className="text-muted">{words.nothing}</p>
      ) : (
        <form action={send}>
          <input type="hidden" name="csv" value={csv} />
          <input type="hidden" name="confirmed" value="yes" />
          <SubmitButton label={plural(locale, words.go, result.created)} busyLabel={words.going} />
        </form>
      )}
    </section>
  )
}
