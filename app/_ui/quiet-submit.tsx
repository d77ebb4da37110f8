'use client'

import { useFormStatus } from 'react-dom'
import { Button } from './button'

type Props = { label: string; busyLabel: string; name?: string }

/** A submit button that is not the page's main one; `name` is what it is called aloud. */
export function QuietSubmit({ label, busyLabel, name }: Props) {
  const { pending } = useFormStatus()
  return (
    <Button type="submit" tone="quiet" disabled={pending} aria-label={name}>
      {pending ? busyLabel : label}
    </Button>
  )
}
