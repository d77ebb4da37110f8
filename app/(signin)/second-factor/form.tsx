'use client'

import { useActionState } from 'react'
import { Button } from '@/app/_ui/button'
import { Scripted, useDeparture } from '@/app/_ui/departure'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { proveSecondFactor, type SecondFactorState } from './actions'

type Words = Messages['secondFactor']
type Props = { interaction: string; words: Words }

export function SecondFactorForm({ interaction, words }: Props) {
  const [state, action] = useActionState<SecondFactorState, FormData>(proveSecondFactor, {})
  const problem = problemOf(state, words)
  useDeparture(state)

  return (
    <form action={action} noValidate className="grid gap-6">
      {problem && <ErrorSummary title={words.problem} problems={[problem]} />}
      <input type="hidden" name="interaction" value={interaction} />
      <Scripted />
      <TextField
        name="code"
        label={words.code}
        error={problem?.field === 'code' ? problem.text : undefined}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
      />
      <details open={problem?.field === 'recovery'}>
        <summary className="w-fit cursor-pointer text-link">{words.useRecovery}</summary>
        <div className="mt-4">
          <TextField
            name="recovery"
            label={words.recovery}
            hint={words.recoveryHint}
            error={problem?.field === 'recovery' ? problem.text : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
          />
        </div>
      </details>
      <div className="grid gap-3">
        <SubmitButton wide label={words.submit} busyLabel={words.submitting} />
        <Button type="submit" tone="quiet" name="answer" value="cancel" formNoValidate>
          {words.cancel}
        </Button>
      </div>
    </form>
  )
}

function problemOf({ problem, retryAfterSeconds }: SecondFactorState, words: Words) {
  const texts: Record<NonNullable<SecondFactorState['problem']>, Problem> = {
    missing: { field: 'code', text: words.missing },
    wrong: { field: 'code', text: words.wrong },
    recovery_wrong: { field: 'recovery', text: words.recoveryWrong },
    slow_down: {
      text: fill(words.slowDown, { minutes: String(Math.ceil((retryAfterSeconds ?? 60) / 60)) }),
    },
    expired: { text: words.expired },
  }
  return problem ? texts[problem] : null
}
