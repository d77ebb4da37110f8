'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from './button'
import { Spinner } from './submit-button'

type Props = {
  label: string
  busyLabel?: string
  tone?: 'main' | 'quiet'
  wide?: boolean
  /** What the form says if this button is the one that was pressed. */
  answer?: string
}

/** Submits a form that the browser itself sends: busy until the next page is there, or this one is back. */
export function LeavingButton({ label, busyLabel = label, tone, wide = false, answer }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [leaving, setLeaving] = useState<'by this' | 'by another' | null>(null)
  useEffect(() => {
    const form = button.current?.form
    // What is disabled is not sent, and the form is read after all listeners.
    const leave = ({ submitter }: SubmitEvent) => {
      setTimeout(() => setLeaving(submitter === button.current ? 'by this' : 'by another'))
    }
    // The browser may keep the page as it was left, for its Back button.
    const comeBack = () => setLeaving(null)
    form?.addEventListener('submit', leave)
    window.addEventListener('pageshow', comeBack)
    return () => {
      form?.removeEventListener('submit', leave)
      window.removeEventListener('pageshow', comeBack)
    }
  }, [])
  return (
    <Button
      ref={button}
      type="submit"
      {...(tone && { tone })}
      wide={wide}
      disabled={leaving !== null}
      {...(answer !== undefined && { name: 'answer', value: answer, formNoValidate: true })}
    >
      {leaving === 'by this' && <Spinner />}
      {leaving === 'by this' ? busyLabel : label}
    </Button>
  )
}
