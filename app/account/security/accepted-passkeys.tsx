'use client'

import { useEffect } from 'react'

type Props = { rpId: string; userId: string; allAcceptedCredentialIds: string[] }

/** Tells password managers which passkeys still count, so that they stop offering the others. */
export function AcceptedPasskeys({ rpId, userId, allAcceptedCredentialIds }: Props) {
  useEffect(() => {
    if (typeof PublicKeyCredential === 'undefined') return
    const list = { rpId, userId, allAcceptedCredentialIds }
    PublicKeyCredential.signalAllAcceptedCredentials?.(list).catch(() => {})
  }, [rpId, userId, allAcceptedCredentialIds])
  return null
}
