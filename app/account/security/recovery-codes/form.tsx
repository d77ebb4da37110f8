'use client'

import { useActionState } from 'react'
import { CopyButton } from '@/app/_ui/copy-button'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { type CodesState, makeRecoveryCodes, savedRecoveryCodes } from './actions'

type Words = Messages['account']['codes']
type Common = Messages['common']
type Props = {
  who: string
  replaces: boolean
  returnTo: string
  words: Words
  common: Common
}

export function RecoveryCodesForm({ who, replaces, returnTo, words, common }: Props) {
  const [state, action] = useActionState<CodesState, FormData>(makeRecoveryCodes, {})
  if (state.codes)
    return <Codes codes={state.codes} who={who} returnTo={returnTo} words={words} common={common} />
  return (
    <form action={action} className="grid gap-5">
      {state.problem && (
        <ErrorSummary title={common.problem} problems={[{ text: words.needsApp }]} />
      )}
      {replaces && <p className="font-medium">{words.replaces}</p>}
      <div>
        <SubmitButton label={words.make} busyLabel={words.making} />
      </div>
    </form>
  )
}

type CodesProps = Omit<Props, 'replaces'> & { codes: string[] }

function Codes({ codes, who, returnTo, words, common }: CodesProps) {
  const text = `${fill(words.fileTitle, { who })}\n\n${codes.join('\n')}\n`
  return (
    <section className="grid gap-5 rounded-panel border border-accent bg-raised px-5 py-5 sm:px-6">
      <div className="grid gap-1" role="status">
        <h2 className="text-lead font-semibold">{words.once}</h2>
        <p className="text-muted">{words.onceText}</p>
      </div>
      <ol
        aria-label={words.list}
        className="code grid grid-cols-1 gap-x-8 gap-y-2 text-body select-all min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-1 print:hidden">
        <CopyButton text={text} label={words.copy} doneLabel={common.copied} />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={words.fileName}
          className={smallButton}
        >
          {words.download}
        </a>
        <button
          type="button"
          onClick={() => window.print()}
          className={`needs-script ${smallButton}`}
        >
          {words.print}
        </button>
      </div>
      <form action={savedRecoveryCodes} className="grid gap-4 print:hidden">
        <input type="hidden" name="returnTo" value={returnTo} />
        <label className="flex items-start gap-3">
          <input type="checkbox" required className="mt-0.5 size-5 accent-accent" />
          <span>{words.saved}</span>
        </label>
        <div>
          <SubmitButton label={words.finish} busyLabel={words.finish} />
        </div>
      </form>
    </section>
  )
}

const smallButton =
  'inline-flex min-h-9 items-center rounded-control px-3 text-small font-semibold text-accent hover:bg-wash'
