'use client'

import { startTransition, useEffect, useState } from 'react'
import type { CreationOptions } from '@/lib/accounts/passkeys'
import { Button } from './button'
import { passkeyForm } from './passkey-form'
import { useScripted } from './scripted'

export type NewPasskeyProblems = Record<'unreadable' | 'known' | 'too_many' | 'refused', string>

type Props = {
  options: CreationOptions
  /** Who it is for, as far as they have just typed it; null while something is missing. */
  user?: () => { name: string; email: string } | null
  send: (form: FormData) => void
  fields: () => Record<string, string>
  problem?: keyof NewPasskeyProblems | undefined
  /** Lets a password manager that just filled in the password make one without a question. */
  upgrade?: boolean
  wide?: boolean
  quiet?: boolean
  words: { create: string; waiting: string }
  failures: NewPasskeyProblems
}

/** Has the authenticator make a key and sends it as a form. */
export function NewPasskeyButton(props: Props) {
  const { options, user, send, fields, problem, words, failures } = props
  const { upgrade = false, wide = false, quiet = false } = props
  const ready = useScripted()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<keyof NewPasskeyProblems | null>(null)

  async function create(useAutoRegister: boolean) {
    const optionsJSON = optionsFor(options, user?.())
    if (!optionsJSON) return
    const { startRegistration } = await import('@simplewebauthn/browser')
    const response = await startRegistration({ optionsJSON, useAutoRegister })
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
        <Button tone={quiet ? 'quiet' : 'main'} disabled={busy || !ready} onClick={ask}>
          {busy ? words.waiting : words.create}
        </Button>
      </div>
      <p role="status" className="text-danger text-small empty:hidden">
        {shown && failures[shown]}
      </p>
    </div>
  )
}

/** Under the name that authenticators show; null if it is not known yet. */
function optionsFor(
  options: CreationOptions,
  typed: { name: string; email: string } | null | undefined,
): CreationOptions | null {
  if (typed === undefined) return options
  if (typed === null) return null
  const user = { ...options.user, name: typed.email, displayName: typed.name }
  return { ...options, user }
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
