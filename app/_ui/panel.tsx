import type { ReactNode } from 'react'

type Props = { title: string; children: ReactNode }

export function Panel({ title, children }: Props) {
  return (
    <section className="rounded-panel border border-line bg-raised px-5 py-4 sm:px-6 sm:py-5">
      <h2 className="text-small font-semibold text-muted">{title}</h2>
      {children}
    </section>
  )
}
