'use client'

import { useActionState } from 'react'
import { Button } from '@/app/_ui/button'
import { Scripted, useDeparture } from '@/app/_ui/departure'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { answerConsent, type ConsentState } from './actions'

export type Choice = {
  scope: string
  api: string
  sentence: string
  required: boolean
  ticked: boolean
}

type Words = Messages['consent']
type Props = { interaction: string; signIn: string[]; choices: Choice[]; words: Words }

export function ConsentForm({ interaction, signIn, choices, words }: Props) {
  const [state, action] = useActionState<ConsentState, FormData>(answerConsent, {})
  useDeparture(state)
  const apis = [...new Set(choices.map(({ api }) => api))]
  return (
    <form action={action} className="grid gap-7">
      {state.expired && (
        <ErrorSummary title={words.expiredTitle} problems={[{ text: words.expired }]} />
      )}
      <input type="hidden" name="interaction" value={interaction} />
      <Scripted />
      {signIn.length > 0 && <SignInScopes scopes={signIn} words={words} />}
      {apis.map((api) => (
        <fieldset key={api} className="grid gap-3">
          <legend className="mb-2 font-semibold">{fill(words.others, { api })}</legend>
          {choices
            .filter((choice) => choice.api === api)
            .map((choice) => (
              <ChoiceRow key={choice.scope} choice={choice} words={words} />
            ))}
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={words.allow} busyLabel={words.allowing} />
        <Button type="submit" tone="quiet" name="answer" value="cancel">
          {words.cancel}
        </Button>
      </div>
    </form>
  )
}

function SignInScopes({ scopes, words }: { scopes: string[]; words: Words }) {
  const sentences: Record<string, string> = words.signInScopes
  return (
    <section className="grid gap-2">
      <h2 className="font-semibold">{words.signIn}</h2>
      <ul className="grid list-disc gap-1 ps-5">
        {scopes.map((scope) => (
          <li key={scope}>{sentences[scope] ?? scope}</li>
        ))}
      </ul>
    </section>
  )
}

function ChoiceRow({ choice, words }: { choice: Choice; words: Words }) {
  const { scope, sentence, required, ticked } = choice
  return (
    <label className="flex items-start gap-3 rounded-control border border-line p-3">
      <input
        type="checkbox"
        name="scope"
        value={scope}
        defaultChecked={ticked || required}
        disabled={required}
        className="mt-1 size-5 accent-accent"
      />
      <span className="grid">
        <span>{sentence}</span>
        <span className="font-mono text-muted text-small">{scope}</span>
        {required && <span className="text-muted text-small">{words.required}</span>}
      </span>
    </label>
  )
}
