'use client'

import { useEffect, useId, useRef } from 'react'
import { type Diffed, REVIEWED } from '@/lib/admin/reviewed'
import type { Messages } from '@/lib/i18n'
import { useMade } from '../../../../_ui/form'

type Words = Messages['admin']['spaces']

/** What a document would create, change and remove. */
export function DiffPreview({ words }: { words: Words }) {
  const made = useMade<Diffed>()
  const box = useRef<HTMLElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (made) box.current?.focus()
  }, [made])
  if (!made) return null
  const { create, change, remove } = made.diff
  const isNothing = create.length + change.length + remove.length === 0
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="grid gap-3 rounded-panel border-2 border-accent bg-wash px-5 py-4"
    >
      <input type="hidden" name={REVIEWED} value={made.digest} />
      <h3 id={titleId} className="font-semibold text-lead">
        {words.diffTitle}
      </h3>
      {isNothing && <p role="status">{words.diffNothing}</p>}
      <Parts label={`+ ${words.diffCreate}`} parts={create} className="text-accent" />
      <Parts label={`~ ${words.diffChange}`} parts={change} className="text-ink" />
      <Parts label={`− ${words.diffRemove}`} parts={remove} className="text-danger" />
      {!isNothing && <p className="font-medium">{words.diffHint}</p>}
    </section>
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
