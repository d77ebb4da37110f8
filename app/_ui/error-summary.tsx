'use client'

import { useEffect, useRef } from 'react'
import { useScripted } from './scripted'

export type Problem = { field?: string; text: string }
type Props = { title: string; problems: Problem[] }

/**
 * Takes the focus whenever new problems arrive. On a page that came with them, `autofocus` has done
 * it, and whoever types already when the script comes is left alone.
 */
export function ErrorSummary({ title, problems }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const cameWithPage = useRef(!useScripted())
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list is a new announcement
  useEffect(() => {
    if (!cameWithPage.current) box.current?.focus()
    cameWithPage.current = false
  }, [problems])

  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: the summary is what the person must hear first
      autoFocus
      aria-labelledby="problem-title"
      className="rounded-panel border border-danger bg-danger-wash px-4 py-3.5"
    >
      <h2 id="problem-title" className="font-semibold text-danger">
        {title}
      </h2>
      <ul className="mt-1 grid gap-1">
        {problems.map((problem) => (
          <li key={`${problem.field} ${problem.text}`}>
            <ProblemLine {...problem} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function ProblemLine({ field, text }: Problem) {
  if (!field) return text
  return (
    <a href={`#${field}`} className="underline underline-offset-4">
      {text}
    </a>
  )
}
