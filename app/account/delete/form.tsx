'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { LinkButton } from '@/app/_ui/link-button'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { type DeleteState, deleteAccount } from './actions'

type Props = { who: string; words: Messages['account']['delete']; common: Messages['common'] }

export function DeleteForm({ who, words, common }: Props) {
  const [state, action] = useActionState<DeleteState, FormData>(deleteAccount, { typed: '' })
  const error = state.problem && fill(words.problems[state.problem], { who })
  return (
    <form action={action} noValidate className="grid max-w-[26rem] gap-6">
      {error && (
        <ErrorSummary title={common.problem} problems={[{ field: 'typed', text: error }]} />
      )}
      <TextField
        name="typed"
        label={fill(words.type, { who })}
        error={error}
        defaultValue={state.typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={words.submit} busyLabel={words.submitting} />
        <LinkButton href="/account/data" tone="quiet">
          {words.cancel}
        </LinkButton>
      </div>
    </form>
  )
}
