'use client'

import { useActionState } from 'react'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { loadSample } from './actions'

type Props = { label: string; busy: string; problem: string }

export function SampleForm({ label, busy, problem }: Props) {
  const [state, action] = useActionState<{ problems?: Problem[] }, FormData>(loadSample, {})
  return (
    <form action={action} className="grid gap-4">
      {state.problems && <ErrorSummary title={problem} problems={state.problems} />}
      <div>
        <QuietSubmit label={label} busyLabel={busy} />
      </div>
    </form>
  )
}
