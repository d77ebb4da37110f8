'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from './button'
import { Spinner } from './submit-button'

/** Submits a form that is an address: busy until the next page is there, or this one is back. */
export function LeavingButton({ label }: { label: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    const form = button.current?.form
    const leave = () => setLeaving(true)
    // The browser may keep the page as it was left, for its Back button.
    const comeBack = () => setLeaving(false)
    form?.addEventListener('submit', leave)
    window.addEventListener('pageshow', comeBack)
    return () => {
      form?.removeEventListener('submit', leave)
      window.removeEventListener('pageshow', comeBack)
    }
  }, [])
  return (
    <Button ref={button} type="submit" wide disabled={leaving}>
      {leaving && <Spinner />}
      {label}
    </Button>
  )
}
