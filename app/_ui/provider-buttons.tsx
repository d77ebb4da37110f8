'use client'

import { type ReactNode, useActionState } from 'react'
import { useFormStatus } from 'react-dom'
import type { UpstreamStart, UpstreamStartProblem } from '@/lib/browser/upstream-start'
import { Badge } from './badge'
import { Button } from './button'
import { ErrorSummary } from './error-summary'
import { Scripted, useRedirect } from './scripted'

type ProviderChoice = {
  id: string
  label: string
  busyLabel: string
  mark: ReactNode
  badge?: string
}

type Props = {
  action: (before: UpstreamStart, form: FormData) => Promise<UpstreamStart>
  choices: ProviderChoice[]
  returnTo: string
  /** What to say of a provider that cannot be used, by problem and id; '' for one that is not there. */
  problems: { title: string; texts: Record<UpstreamStartProblem, Record<string, string>> }
}

/** One form, one button a provider: which was pressed says where to go. */
export function ProviderButtons({ action, choices, returnTo, problems }: Props) {
  const [state, submit] = useActionState<UpstreamStart, FormData>(action, {})
  useRedirect(state)
  const text = state.problem ? (problems.texts[state.problem][state.provider ?? ''] ?? '') : ''
  return (
    <form action={submit} className="grid gap-3">
      {state.problem && <ErrorSummary title={problems.title} problems={[{ text }]} />}
      <input type="hidden" name="returnTo" value={returnTo} />
      <Scripted />
      {choices.map((choice) => (
        <ProviderButton key={choice.id} {...choice} />
      ))}
    </form>
  )
}

function ProviderButton({ id, label, busyLabel, mark, badge }: ProviderChoice) {
  const { pending, data } = useFormStatus()
  const chosen = pending && data.get('provider') === id
  return (
    <Button type="submit" tone="quiet" wide name="provider" value={id} disabled={pending}>
      <span className="grid w-full grid-cols-[1.25rem_1fr_1.25rem] items-center gap-2">
        {mark}
        <span className="flex flex-wrap items-center justify-center gap-2">
          {chosen ? busyLabel : label}
          {badge && <Badge>{badge}</Badge>}
        </span>
      </span>
    </Button>
  )
}
