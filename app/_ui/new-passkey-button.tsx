'use client'

import { startTransition, useEffect, useState } from 'react'
import type { CreationOptions } from '@/lib/accounts/passkeys'
import { Button } from './button'
import { passkeyForm } from './passkey-form'
import { useScripted } from './scripted'

export type NewPasskeyProblems = Record<'unreadable' | 'known' | 'too_many' | 'refused', string>

type Props = {
  options: CreationOptions
  send: (form: FormData) => void
  fields: () => Record<string, string>
  problem?: keyof NewPasskeyProblems | undefined
  /** Lets a password manager that just filled in the password make one without a question. */
  upgrade?: boolean
  wide?: boolean
  words: { create: string; waiting: string }
  failures: NewPasskeyProblems
}

/** Has the authenticator make a key and sends it as a form. */
export function NewPasskeyButton(props: Props) {
  const { options, send, fields, problem, upgrade = false, wide = false, words, failures } = props
  const ready = useScripted()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<keyof NewPasskeyProblems | null>(null)

  async function create(useAutoRegister: boolean) {
    const { startRegistration } = await import('@simplewebauthn/browser')
    const response = await startRegistration({ optionsJSON: options, useAutoRegister })
    startTransition(() => send(passkeyForm(response, fields())))
  }

  async function ask() {
    setBusy(true)
    setRefused(null)
    try {
      await create(false)
    } catch (error) {
      setRefused(problemOf(error))
    } finally {
      setBusy(false)
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: tried once, when the page is there
  useEffect(() => {
    if (!upgrade) return
    canUpgrade()
      .then((can) => (can ? create(true) : undefined))
      .catch(() => {}) // silently or not at all
  }, [])

  const shown = refused ?? problem
  return (
    <div className="needs-script grid gap-2">
      <div className={wide ? 'grid' : ''}>
        <Button disabled={busy || !ready} onClick={ask}>
          {busy ? words.waiting : words.create}
        </Button>
      </div>
      <p role="status" className="text-danger text-small empty:hidden">
        {shown && failures[shown]}
      </p>
    </div>
  )
}

function problemOf(error: unknown): keyof NewPasskeyProblems {
  const known = error instanceof Error && error.name === 'InvalidStateError'
  return known ? 'known' : 'refused'
}

async function canUpgrade(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined') return false
  const capabilities = await PublicKeyCredential.getClientCapabilities?.().catch(() => null)
  return capabilities?.conditionalCreate === true
}
