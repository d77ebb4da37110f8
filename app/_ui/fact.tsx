import type { ReactNode } from 'react'

/** One line of a list of facts, in a grid of two columns. */
export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="font-medium [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
