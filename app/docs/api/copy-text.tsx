'use client'

import { useEffect, useState } from 'react'

const CONFIRM_MILLISECONDS = 2_000

type Props = { from: string; label: string; name: string; doneLabel: string }

/** Copies what an element shows, so that the page need not carry it twice. */
export function CopyText({ from, label, name, doneLabel }: Props) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), CONFIRM_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [done])

  return (
    <button
      type="button"
      onClick={() => copy(from).then(setDone)}
      aria-label={done ? doneLabel : name}
      className="needs-script min-h-9 min-w-16 shrink-0 rounded-control px-3 text-small font-semibold text-accent hover:bg-wash"
    >
      {done ? doneLabel : label}
      <span role="status" className="sr-only">
        {done && doneLabel}
      </span>
    </button>
  )
}

async function copy(from: string): Promise<boolean> {
  const element = document.getElementById(from)
  if (!element) return false
  // Browsers have no clipboard for pages on plain http: then it is selected, ready for Ctrl-C.
  if (!navigator.clipboard) {
    getSelection()?.selectAllChildren(element)
    return false
  }
  await navigator.clipboard.writeText(element.textContent ?? '')
  return true
}
