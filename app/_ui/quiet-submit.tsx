'use client'

import { useFormStatus } from 'react-dom'
import { Button } from './button'
import { Spinner } from './submit-button'

type Props = {
  label: string
  busyLabel: string
  name?: string
  /** What the form says if this button is the one that was pressed. */
  answer?: string
  wide?: boolean
}

/** A submit button that is not the page's main one; `name` is what it is called aloud. */
export function QuietSubmit({ label, busyLabel, name, answer, wide = false }: Props) {
  const { pending } = useFormStatus()
  return (
    <Button
      type="submit"
      tone="quiet"
      wide={wide}
      disabled={pending}
      aria-label={name}
      {...(answer !== undefined && { name: 'answer', value: answer, formNoValidate: true })}
    >
      {pending && <Spinner />}
      {pending ? busyLabel : label}
    </Button>
  )
}
