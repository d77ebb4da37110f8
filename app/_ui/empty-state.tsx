import type { ReactNode } from 'react'
import { Heading } from './heading'

type Props = { title: string; text: string; children: ReactNode }

/** Nothing to show here: says so, and what to do next. */
export function EmptyState({ title, text, children }: Props) {
  return (
    <div className="grid gap-6">
      <Heading title={title} text={text} />
      {children}
    </div>
  )
}
