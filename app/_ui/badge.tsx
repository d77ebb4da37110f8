import type { ReactNode } from 'react'

const TONES = { accent: 'border-accent text-accent', quiet: 'border-edge text-muted' }

type Props = { children: ReactNode; tone?: keyof typeof TONES }

export function Badge({ children, tone = 'accent' }: Props) {
  return <span className={`badge ${TONES[tone]}`}>{children}</span>
}
