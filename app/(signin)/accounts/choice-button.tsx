'use client'

import type { ReactNode } from 'react'
import { useFormStatus } from 'react-dom'
import { Spinner } from '@/app/_ui/submit-button'

/** One of several, each as good as the next. */
export function ChoiceButton({ children }: { children: ReactNode }) {
  const { pending } = useFormStatus()
  return (
    <button
      type="submit"
      disabled={pending}
      className="grid min-h-14 w-full justify-items-start gap-0.5 rounded-control px-3 py-2 text-start hover:bg-wash disabled:text-muted"
    >
      {children}
    </button>
  )
}

/** `name`: what it is called aloud. */
export function RemoveButton({ name, label }: { name: string; label: string }) {
  const { pending } = useFormStatus()
  return (
    <button
      type="submit"
      disabled={pending}
      aria-label={name}
      className="inline-flex min-h-11 items-center gap-2 px-2 text-link text-small disabled:text-muted"
    >
      {pending && <Spinner />}
      {label}
    </button>
  )
}
