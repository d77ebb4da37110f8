'use client'

import { useEffect, useRef } from 'react'

/** Tells the action whether this device could keep a passkey. */
export function PasskeyCapable() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    canKeepPasskey().then((can) => {
      // As its default too: a form is reset after each answer.
      if (field.current && can) field.current.defaultValue = 'yes'
    })
  }, [])
  return <input ref={field} type="hidden" name="passkeys" defaultValue="no" />
}

async function canKeepPasskey(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false)
}
