'use client'

import { decodeJwt, decodeProtectedHeader } from 'jose'
import { useActionState, useState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { Field, fieldIds, inputClass } from '@/app/_ui/field'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { InspectionWire } from '@/lib/api/applications/token-inspection'
import type { Messages } from '@/lib/i18n'
import type { Clock } from '@/lib/i18n/moments'
import { inspectToken } from './actions'
import { Claims } from './claims'

type TokenWords = Messages['admin']['tools']['token']
type Props = { words: TokenWords; problem: string; clock: Clock }
type Decoded = { header: Record<string, unknown>; claims: Record<string, unknown> }

/** Decoded while typing, here; verified only when asked to. */
export function TokenInspector({ words, problem, clock }: Props) {
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const [state, send] = useActionState(inspectToken, {})
  const token = typed.trim()
  const decoded = token === '' ? null : decode(token)
  const error = token !== '' && !decoded ? words.unreadable : state.problem
  const field = { name: 'token', label: words.token, error }
  // What was said about another token is no longer true.
  const found = token === asked ? state.found : undefined
  const shown = decoded ?? (found?.claims ? { header: {}, claims: found.claims } : null)
  return (
    <div className="grid gap-6">
      <form action={send} onSubmit={() => setAsked(token)} className="grid gap-4">
        {state.problem && (
          <ErrorSummary title={problem} problems={[{ field: 'token', text: state.problem }]} />
        )}
        <Field words={field}>
          <textarea
            rows={5}
            maxLength={16_384}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className={`${inputClass} font-mono text-small! [overflow-wrap:anywhere]`}
            {...fieldIds(field)}
          />
        </Field>
        <div>
          <SubmitButton label={words.verify} busyLabel={words.verifying} />
        </div>
      </form>
      <div aria-live="polite">{found && <TokenState found={found} words={words} />}</div>
      {shown && <Claims decoded={shown} words={words} clock={clock} />}
    </div>
  )
}

function decode(token: string): Decoded | null {
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: { ...decodeJwt(token) } }
  } catch {
    return null
  }
}

function TokenState({ found, words }: { found: InspectionWire; words: TokenWords }) {
  const { state, use, scope, application } = found
  const tone = state === 'active' ? 'border-accent bg-wash' : 'border-danger bg-danger-wash'
  return (
    <section className={`grid gap-2 rounded-panel border px-5 py-4 ${tone}`}>
      <h3 className="font-semibold text-lead">{words.states[state]}</h3>
      <p>{words.stateTexts[state]}</p>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-small">
        {use && (
          <li>
            {words.use}: {words.uses[use]}
          </li>
        )}
        {application && (
          <li>
            {words.application}:{' '}
            <a href={`/admin/applications/${encodeURIComponent(application.id)}`}>
              {application.name}
            </a>
          </li>
        )}
        {scope && (
          <li>
            {words.stillGranted}: <code className="code">{scope}</code>
          </li>
        )}
      </ul>
    </section>
  )
}
