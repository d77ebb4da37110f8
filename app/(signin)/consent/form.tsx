'use client'

import type { ReactNode } from 'react'
import { Badge } from '@/app/_ui/badge'
import { LeavingButton } from '@/app/_ui/leaving-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'

type Choice = {
  scope: string
  api: string
  sentence: string
  sensitive: boolean
  required: boolean
  ticked: boolean
  known: boolean
}

type StepUpScope = { scope: string; sentence: string; atHand: boolean }
export type RequestableScope = { scope: string; sentence: string; binding: string }

type Words = Messages['consent']
type AskedProps = { signIn: string[]; choices: Choice[]; words: Words; more?: ReactNode }
type Props = AskedProps & {
  action: string | undefined
  interaction: string
  provable: StepUpScope[]
  requestable: RequestableScope[]
}

/** The browser itself sends it; lib/browser/page-forms.ts takes it. */
export function ConsentForm(props: Props) {
  const { action, interaction, provable, requestable, words, ...asked } = props
  const more = (
    <>
      {provable.length > 0 && (
        <NeedsProof interaction={interaction} provable={provable} words={words} />
      )}
      {requestable.length > 0 && (
        <CanBeAskedFor title={words.lacking} requestable={requestable} words={words} />
      )}
    </>
  )
  return (
    <form method="post" action={action}>
      <input type="hidden" name="interaction" value={interaction} />
      <Asked {...asked} words={words} more={more} />
    </form>
  )
}

/** All there is to say yes or no to; outside a form, where it is only looked at, nothing is sent. */
export function Asked({ signIn, choices, words, more }: AskedProps) {
  const known = choices.filter((choice) => choice.known)
  return (
    <div className="grid gap-7">
      {signIn.length > 0 && <SignInScopes scopes={signIn} words={words} />}
      <ByApi choices={choices.filter((choice) => !choice.known)} words={words} />
      {known.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer text-link">
            {fill(words.known, { count: String(known.length) })}
          </summary>
          <div className="mt-4 grid gap-7">
            <ByApi choices={known} words={words} />
          </div>
        </details>
      )}
      {more}
      <div className="flex flex-wrap gap-3">
        <LeavingButton label={words.allow} busyLabel={words.allowing} />
        <LeavingButton tone="quiet" answer="cancel" label={words.cancel} />
      </div>
    </div>
  )
}

function ByApi({ choices, words }: { choices: Choice[]; words: Words }) {
  const apis = [...new Set(choices.map(({ api }) => api))]
  return apis.map((api) => (
    <fieldset key={api} className="grid gap-3">
      <legend className="mb-2 font-semibold">{fill(words.others, { api })}</legend>
      {choices
        .filter((choice) => choice.api === api)
        .map((choice) => (
          <ChoiceRow key={choice.scope} choice={choice} words={words} />
        ))}
    </fieldset>
  ))
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
  const { scope, sentence, sensitive, required, ticked } = choice
  return (
    <div className="grid gap-1 rounded-control border border-line bg-raised p-3 has-checked:border-edge">
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          name="scope"
          value={scope}
          defaultChecked={ticked || required}
          disabled={required}
          className="mt-1 size-5 shrink-0 accent-accent"
        />
        <span className="grid min-w-0 gap-0.5">
          <span className="flex flex-wrap items-center gap-x-3">
            {sentence}
            {sensitive && <Badge>{words.sensitive}</Badge>}
          </span>
          {required && <span className="text-muted text-small">{words.required}</span>}
        </span>
      </label>
      <Exactly choice={choice} words={words} />
    </div>
  )
}

/** What the sentence stands for, for those who want to know. */
function Exactly({ choice, words }: { choice: Choice; words: Words }) {
  const { scope, api, sensitive } = choice
  return (
    <details className="ms-8 text-small">
      <summary className="w-fit cursor-pointer text-muted">{words.exactly}</summary>
      <dl className="mt-1.5 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5">
        <dt className="text-muted">{words.permission}</dt>
        <dd className="font-mono [overflow-wrap:anywhere]">{scope}</dd>
        <dt className="text-muted">{words.api}</dt>
        <dd className="[overflow-wrap:anywhere]">{api}</dd>
      </dl>
      {sensitive && <p className="mt-1.5 text-muted">{words.sensitiveText}</p>}
    </details>
  )
}

type NeedsProofProps = { interaction: string; provable: StepUpScope[]; words: Words }

/** What more they could allow, had they proved more: here and now, where they can. */
function NeedsProof({ interaction, provable, words }: NeedsProofProps) {
  const atHand = provable.some((item) => item.atHand)
  return (
    <section className="grid gap-3 rounded-panel border border-line border-dashed p-4">
      <h2 className="font-semibold">{words.needsProof}</h2>
      <ul className="grid list-disc gap-1 ps-5">
        {provable.map(({ scope, sentence }) => (
          <li key={scope}>{sentence}</li>
        ))}
      </ul>
      {atHand ? (
        <p>
          <a href={`/second-factor?interaction=${interaction}`} className="text-link">
            {words.proveNow}
          </a>
        </p>
      ) : (
        <p className="text-muted text-small">{words.proveLater}</p>
      )}
    </section>
  )
}

type CanBeAskedForProps = { title: string; requestable: RequestableScope[]; words: Words }

/** What they lack and may ask somebody for; in a new tab, because the question stays where it is. */
export function CanBeAskedFor({ title, requestable, words }: CanBeAskedForProps) {
  return (
    <section className="grid gap-3 rounded-panel border border-line border-dashed p-4">
      <h2 className="font-semibold">{title}</h2>
      <ul className="grid gap-2">
        {requestable.map(({ scope, sentence, binding }) => (
          <li key={scope} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="min-w-0 [overflow-wrap:anywhere]">{sentence}</span>
            <a
              href={`/account/access?binding=${encodeURIComponent(binding)}`}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`${words.askForThis}: ${sentence}`}
              className="inline-flex min-h-6 items-center text-link"
            >
              {words.askForThis}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
