import type { ChangedField } from '@/lib/admin/audit-diff'

type Words = { field: string; before: string; after: string; nothing: string; noChange: string }

/** Before and after, side by side where there is room. */
export function Changes({ changes, words }: { changes: readonly ChangedField[]; words: Words }) {
  if (changes.length === 0) return <p className="text-muted">{words.noChange}</p>
  return (
    <table className="w-full border-collapse max-sm:block">
      <thead className="max-sm:sr-only">
        <tr className="border-line border-b text-muted text-small">
          {[words.field, words.before, words.after].map((name) => (
            <th key={name} scope="col" className="py-1.5 pe-4 text-start font-semibold">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {changes.map(({ field, before, after }) => (
          <tr
            key={field}
            className="border-line border-b align-top last:border-b-0 max-sm:grid max-sm:gap-1 max-sm:py-2"
          >
            <th scope="row" className="py-2 pe-4 text-start font-mono text-small max-sm:p-0">
              {field}
            </th>
            <Value text={before} label={words.before} nothing={words.nothing} kind="before" />
            <Value text={after} label={words.after} nothing={words.nothing} kind="after" />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const LOOKS = {
  before: 'bg-danger-wash text-danger no-underline',
  after: 'bg-wash text-accent-strong no-underline',
} as const

type ValueProps = {
  text: string | null
  label: string
  nothing: string
  kind: keyof typeof LOOKS
}

function Value({ text, label, nothing, kind }: ValueProps) {
  const Word = kind === 'before' ? 'del' : 'ins'
  return (
    <td className="py-2 pe-4 max-sm:p-0">
      <span className="me-2 text-muted text-small sm:hidden">{label}</span>
      {text === null ? (
        <span className="text-muted">{nothing}</span>
      ) : (
        <Word
          className={`whitespace-pre-wrap rounded-control px-1.5 py-0.5 font-mono text-small [box-decoration-break:clone] [overflow-wrap:anywhere] ${LOOKS[kind]}`}
        >
          {text}
        </Word>
      )}
    </td>
  )
}
