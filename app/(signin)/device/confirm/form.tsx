'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Scripted, useRedirect } from '@/app/_ui/scripted'
import { SubmitButton } from '@/app/_ui/submit-button'
import type { Messages } from '@/lib/i18n'
import { type ConfirmState, confirm } from './actions'

type Props = { interaction: string; code: string; words: Messages['device'] }

export function ConfirmForm({ interaction, code, words }: Props) {
  const [state, action] = useActionState<ConfirmState, FormData>(confirm, {})
  useRedirect(state)
  return (
    <form action={action} className="grid gap-6">
      {state.expired && (
        <ErrorSummary
          title={words.done.expired.title}
          problems={[{ text: words.done.expired.text }]}
        />
      )}
      <input type="hidden" name="interaction" value={interaction} />
      <input type="hidden" name="user_code" value={code} />
      <Scripted />
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={words.confirm} busyLabel={words.confirming} />
        <QuietSubmit answer="no" label={words.notMine} busyLabel={words.notMine} />
      </div>
    </form>
  )
}
