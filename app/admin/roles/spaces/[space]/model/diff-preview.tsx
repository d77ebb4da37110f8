'use client'

import type { DiffPreview as MadePreview } from '@/lib/admin/reviewed'
import type { Messages } from '@/lib/i18n'
import { useMade } from '../../../../_ui/form'
import { ReviewBox } from '../../../../_ui/review-box'

type Words = Messages['admin']['spaces']

/** What a document would create, change and remove. */
export function DiffPreview({ words }: { words: Words }) {
  const made = useMade<MadePreview>()
  if (!made) return null
  const { create, change, remove } = made.diff
  const isNothing = create.length + change.length + remove.length === 0
  return (
    <ReviewBox made={made} title={words.diffTitle}>
      {isNothing && <p role="status">{words.diffNothing}</p>}
      <Parts label={`+ ${words.diffCreate}`} parts={create} className="text-accent" />
      <Parts label={`~ ${words.diffChange}`} parts={change} className="text-ink" />
      <Parts label={`− ${words.diffRemove}`} parts={remove} className="text-danger" />
      {!isNothing && <p className="font-medium">{words.diffHint}</p>}
    </ReviewBox>
  )
}

type PartsProps = { label: string; parts: readonly string[]; className: string }

function Parts({ label, parts, className }: PartsProps) {
  if (parts.length === 0) return null
  return (
    <div className="grid gap-1">
      <p className={`font-semibold ${className}`}>
        {label} ({parts.length})
      </p>
      <ul className="grid gap-0.5 font-mono text-small">
        {parts.map((part) => (
          <li key={part} className="[overflow-wrap:anywhere]">
            {part}
          </li>
        ))}
      </ul>
    </div>
  )
}
