import type { ReactNode } from 'react'
import { Removal } from '@/app/_ui/removal'

type Props = { title: string; summary: string; text: string; children: ReactNode }

/** What cannot be taken back: apart from the rest, and asked about first. */
export function DangerZone({ title, summary, text, children }: Props) {
  return (
    <section className="grid gap-3 rounded-panel border border-danger px-5 py-5 sm:px-6">
      <h2 className="font-semibold text-danger text-lead">{title}</h2>
      <Removal summary={summary} text={text}>
        {children}
      </Removal>
    </section>
  )
}
