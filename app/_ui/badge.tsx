import type { ReactNode } from 'react'

export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-block rounded-control border border-accent px-2 text-small font-semibold text-accent">
      {children}
    </span>
  )
}
