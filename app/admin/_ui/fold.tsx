import type { ReactNode } from 'react'

type Props = {
  title: string
  /** What the fields inside are for. */
  text?: string
  open?: boolean
  children: ReactNode
}

/** Fields that most people leave as they are: open where something is set, or wrong. */
export function Fold({ title, text, open = false, children }: Props) {
  return (
    <details open={open} className="open-on-problem group rounded-control border border-line px-4">
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3 font-semibold">
        {title}
        <span aria-hidden="true" className="text-muted group-open:rotate-180">
          ▾
        </span>
      </summary>
      <div className="grid min-w-0 gap-6 pt-1 pb-5">
        {text && <p className="text-muted">{text}</p>}
        {children}
      </div>
    </details>
  )
}
