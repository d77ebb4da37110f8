import type { ReactNode } from 'react'
import { buttonClass } from './button'

type Props = { href: string; tone?: 'main' | 'quiet'; children: ReactNode }

export function LinkButton({ href, tone = 'main', children }: Props) {
  return (
    <a href={href} className={buttonClass(tone)}>
      {children}
    </a>
  )
}
