'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { useLocale } from '@/app/_ui/locale'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Imported } from '@/lib/api/routes/user-files'
import type { Messages } from '@/lib/i18n'
import { plural } from '@/lib/i18n/plural'
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
      <form action={send} noValidate className="grid gap-6">
        {problems.length > 0 && <ErrorSummary title={problem} problems={problems} />}
        <Field words={{ name: 'file', label: words.file }}>
          <input
            type="file"
            accept=".csv,text/csv"
            className="text-body file:me-3 file:min-h-10 file:cursor-pointer file:rounded-control file:border file:border-edge file:bg-raised file:px-4 file:font-semibold file:text-ink"
            {...fieldIds({ name: 'file', label: words.file })}
          />
        </Field>
        <Field words={{ name: 'csv', label: words.text, error: problems[0]?.text }}>
          <textarea
            key={csv}
            rows={8}
            defaultValue={csv}
            placeholder={words.example}
            spellCheck={false}
            className={`${inputClass} font-mono text-small!`}
            {...fieldIds({ name: 'csv', label: words.text, error: problems[0]?.text })}
          />
        </Field>
        <div>
          <SubmitButton label={words.check} busyLabel={words.checking} />
        </div>
      </form>
      {result && <Preview result={result} csv={csv} send={send} words={words} />}
    </div>
  )
}

type PreviewProps = {
  result: Imported
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
