'use client'

import { useEffect, useState } from 'react'

const CONFIRM_MILLISECONDS = 2_000

type Props = { text: string; label: string; doneLabel: string }

export function CopyButton({ text, label, doneLabel }: Props) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), CONFIRM_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [done])

  // Browsers have no clipboard for pages on plain http; the text can still be selected.
  const copy = () => navigator.clipboard?.writeText(text).then(() => setDone(true))
  return (
    <button
      type="button"
      onClick={copy}
      className="needs-script min-h-9 min-w-18 shrink-0 rounded-control px-3 text-small font-semibold text-accent hover:bg-wash"
    >
      <span aria-live="polite">{done ? doneLabel : label}</span>
    </button>
  )
}
