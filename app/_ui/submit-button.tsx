'use client'

import { useFormStatus } from 'react-dom'
import { Button } from './button'

type Props = {
  label: string
  busyLabel: string
  wide?: boolean
  /** What the form says if this button is the one that was pressed. */
  answer?: string
}

export function SubmitButton({ label, busyLabel, wide = false, answer }: Props) {
  const { pending } = useFormStatus()
  return (
    <Button
      type="submit"
      wide={wide}
      disabled={pending}
      {...(answer !== undefined && { name: 'answer', value: answer })}
    >
      {pending && <Spinner />}
      {pending ? busyLabel : label}
    </Button>
  )
}

export function Spinner() {
  return (
    <svg viewBox="0 0 16 16" className="size-4 animate-spin" aria-hidden="true">
      <circle
        cx="8"
        cy="8"
        r="6.5"
        fill="none"
        stroke="currentColor"
        strokeOpacity="0.35"
        strokeWidth="2"
      />
      <path
        d="M8 1.5A6.5 6.5 0 0 1 14.5 8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
