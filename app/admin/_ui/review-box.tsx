'use client'

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { REVIEWED } from '@/lib/admin/reviewed'

type Props = { made: { digest: string }; title: string; children: ReactNode }

/** The last thing within a form: what it would do, before it is sent for good. */
export function ReviewBox({ made, title, children }: Props) {
  const box = useRef<HTMLElement>(null)
  const titleId = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer of the portal is shown anew
  useEffect(() => box.current?.focus(), [made])
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="grid gap-3 rounded-panel border-2 border-accent bg-wash px-5 py-4"
    >
      <input type="hidden" name={REVIEWED} value={made.digest} />
      <h3 id={titleId} className="font-semibold text-lead">
        {title}
      </h3>
      {children}
    </section>
  )
}
