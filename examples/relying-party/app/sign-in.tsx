'use client'

import { signIn } from 'next-auth/react'

export function SignIn() {
  return (
    <button type="button" onClick={() => signIn('gatehouse')}>
      Sign in with Gatehouse
    </button>
  )
}
