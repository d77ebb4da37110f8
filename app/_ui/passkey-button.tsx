'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import type { RequestOptions } from '@/lib/accounts/passkeys'
import { Badge } from './badge'
import { Button } from './button'
import { passkeyForm } from './passkey-form'
import { useScripted } from './scripted'

type PasskeyWords = { use: string; waiting: string; none: string }

type Props = {
  options: RequestOptions
  send: (form: FormData) => void
  /** What goes along with the answer. */
  fields: Record<string, string>
  failed?: string | undefined
  /** The portal has no such passkey: the device is told, so that it stops offering it. */
  isUnknown?: boolean
  /** Offer it in the list of names that the browser fills in. */
  autofill?: boolean
  /** An answer is on its way already. */
  sent?: boolean
  badge?: string | undefined
  words: PasskeyWords
}

const RENEW_BEFORE_MS = 60_000

/** Asks the authenticator and sends its answer as a form; without script it is not there. */
export function PasskeyButton(props: Props) {
  const { options, send, fields, failed, autofill = false, sent = false, badge, words } = props
  const ready = useScripted()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(false)
  const answered = useRef('')
  const used = useRef('')
  const answer = useCallback(
    (challenge: string, response: { id: string }) => {
      answered.current = challenge
      used.current = response.id
      startTransition(() => send(passkeyForm(response, fields)))
    },
    [send, fields],
  )
  useFreshOptions(options, failed)
  useUnknownSignal(props.isUnknown === true, options.rpId, used)
  // The cookie of a sign-in draws the page again, with a new challenge, before the browser leaves
  // it: nobody is asked a second time.
  useAutofill(autofill && !sent, options, answered, answer)

  async function ask() {
    setBusy(true)
    setRefused(false)
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      answer(options.challenge, await startAuthentication({ optionsJSON: options }))
    } catch {
      setRefused(true)
    } finally {
      setBusy(false)
    }
  }

  const problem = refused ? words.none : failed
  const waiting = busy || sent
  return (
    <div className="needs-script grid gap-2">
      <Button tone="quiet" wide disabled={waiting || !ready} onClick={ask}>
        <KeyMark />
        {waiting ? words.waiting : words.use}
        {badge && <Badge>{badge}</Badge>}
      </Button>
      <p role="status" className="text-danger text-small empty:hidden">
        {problem}
      </p>
    </div>
  )
}

/** A challenge is good for a while and once. */
function useFreshOptions({ challenge, timeout }: RequestOptions, failed: string | undefined): void {
  const { refresh } = useRouter()
  useEffect(() => {
    if (failed) refresh()
  }, [failed, refresh])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each challenge has its own time
  useEffect(() => {
    const timer = setTimeout(refresh, timeout - RENEW_BEFORE_MS)
    return () => clearTimeout(timer)
  }, [challenge, timeout, refresh])
}

/** Waits beside the form; the button, or leaving the page, ends the wait. */
function useAutofill(
  wanted: boolean,
  options: RequestOptions,
  answered: { readonly current: string },
  answer: (challenge: string, response: { id: string }) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one ceremony for each challenge
  useEffect(() => {
    let gone = false
    const offer = async () => {
      const webauthn = await import('@simplewebauthn/browser')
      if (gone || !(await webauthn.browserSupportsWebAuthnAutofill())) return
      const asked = { optionsJSON: options, useBrowserAutofill: true }
      const response = await webauthn.startAuthentication(asked).catch(() => null)
      if (response && !gone) answer(options.challenge, response)
    }
    // No challenge is answered twice.
    if (wanted && answered.current !== options.challenge) offer()
    return () => {
      gone = true
    }
  }, [wanted, options.challenge])
}

/** WebAuthn Level 3 §5.1.10.2. */
function useUnknownSignal(
  isUnknown: boolean,
  rpId: string,
  used: { readonly current: string },
): void {
  useEffect(() => {
    if (!isUnknown || typeof PublicKeyCredential === 'undefined') return
    const key = { rpId, credentialId: used.current }
    PublicKeyCredential.signalUnknownCredential?.(key).catch(() => {})
  }, [isUnknown, rpId, used])
}

function KeyMark() {
  return (
    <svg
      viewBox="0 0 20 20"
      className="size-5"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
    >
      <circle cx="7" cy="7" r="4" strokeWidth="1.75" />
      <path d="m9.8 9.8 6.7 6.7m-3-3-2 2m4.2.2-1.6 1.6" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  )
}
