import type { ReactNode } from 'react'

const TONES = {
  good: 'border-accent text-accent',
  quiet: 'border-edge text-muted',
  warn: 'border-warn text-warn',
  bad: 'border-danger text-danger',
} as const

/** A state in a word; the colour only says it again. */
export function StateBadge({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return <span className={`badge whitespace-nowrap ${TONES[tone]}`}>{children}</span>
}
