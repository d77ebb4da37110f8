import type { ReactNode } from 'react'

type Props = { title: string; text: string; children?: ReactNode }

/** A list in which nothing ever was: what it is for, and the next step. */
export function Empty({ title, text, children }: Props) {
  return (
    <div className="grid justify-items-center gap-3 rounded-panel border border-line border-dashed bg-raised px-6 py-12 text-center">
      <h2 className="font-semibold text-lead">{title}</h2>
      <p className="max-w-[34rem] text-muted">{text}</p>
      {children}
    </div>
  )
}
