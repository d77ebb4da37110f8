import type { ReactNode } from 'react'

type Props = { summary: string; label?: string; text: string; children: ReactNode }

/** A question before something is taken away: a disclosure, so that it needs no script. */
export function Removal({ summary, label, text, children }: Props) {
  return (
    <details className="open-on-problem group">
      <summary
        aria-label={label}
        className="flex min-h-9 w-fit cursor-pointer list-none items-center rounded-control text-small font-semibold text-danger underline decoration-1 underline-offset-4 [&::-webkit-details-marker]:hidden"
      >
        {summary}
      </summary>
      <div className="mt-2 grid gap-4 rounded-control border border-danger bg-danger-wash p-4">
        <p>{text}</p>
        <div>{children}</div>
      </div>
    </details>
  )
}
