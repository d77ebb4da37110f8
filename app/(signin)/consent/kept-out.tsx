'use client'

import { useActionState } from 'react'
import { buttonClass } from '@/app/_ui/button'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Scripted, useRedirect } from '@/app/_ui/scripted'
import type { Messages } from '@/lib/i18n'
import { paths } from '@/lib/oidc/paths'
import { answerConsent, type ConsentState } from './actions'
import { CanBeAskedFor, Expired, type RequestableScope } from './form'

type Props = { interaction: string; requestable: RequestableScope[]; words: Messages['consent'] }

/** Asking opens in a new tab; here the user goes on when they have it, or goes back without it. */
export function KeptOutForm({ interaction, requestable, words }: Props) {
  const [state, action] = useActionState<ConsentState, FormData>(answerConsent, {})
  useRedirect(state)
  return (
    <form action={action} className="grid gap-7">
      {state.expired && <Expired words={words} />}
      <input type="hidden" name="interaction" value={interaction} />
      <Scripted />
      <CanBeAskedFor title={words.missing} requestable={requestable} words={words} />
      <div className="flex flex-wrap gap-3">
        <a href={`${paths.authorize}/${interaction}`} className={buttonClass('quiet')}>
          {words.goOn}
        </a>
        <QuietSubmit answer="cancel" label={words.back} busyLabel={words.back} />
      </div>
    </form>
  )
}
