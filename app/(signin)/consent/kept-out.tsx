'use client'

import { buttonClass } from '@/app/_ui/button'
import { LeavingButton } from '@/app/_ui/leaving-button'
import type { Messages } from '@/lib/i18n'
import { paths } from '@/lib/oidc/paths'
import { CanBeAskedFor, type RequestableScope } from './form'

type Props = {
  action: string | undefined
  interaction: string
  requestable: RequestableScope[]
  words: Messages['consent']
}

/** Asking opens in a new tab; here the user goes on when they have it, or goes back without it. */
export function KeptOutForm({ action, interaction, requestable, words }: Props) {
  return (
    <form method="post" action={action} className="grid gap-7">
      <input type="hidden" name="interaction" value={interaction} />
      <CanBeAskedFor title={words.missing} requestable={requestable} words={words} />
      <div className="flex flex-wrap gap-3">
        <a href={`${paths.authorize}/${interaction}`} className={buttonClass('quiet')}>
          {words.goOn}
        </a>
        <LeavingButton tone="quiet" answer="cancel" label={words.back} />
      </div>
    </form>
  )
}
