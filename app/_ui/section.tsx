import type { ReactNode } from 'react'

type Props = {
  title: string
  text?: string
  id?: string
  aside?: ReactNode
  children?: ReactNode
}

export function Section({ title, text, id, aside, children }: Props) {
  return (
    <section
      id={id}
      className="grid gap-4 rounded-panel border border-line bg-raised px-5 py-5 sm:px-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1">
          <h2 className="text-lead font-semibold [overflow-wrap:anywhere]">{title}</h2>
          {text && <p className="text-muted">{text}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  )
}
