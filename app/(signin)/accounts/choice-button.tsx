'use client'

import type { ReactNode } from 'react'
import { useFormStatus } from 'react-dom'

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
