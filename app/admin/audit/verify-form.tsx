'use client'

import { useActionState } from 'react'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import type { FormState } from '@/lib/admin/form'
import type { VerifiedWire } from '@/lib/api/routes/audit'
import { fill } from '@/lib/i18n/fill'
import { verify } from './actions'

type Words = {
  submit: string
  busy: string
  more: string
  whole: string
  unfinished: string
  broken: string
  why: Record<NonNullable<VerifiedWire['broken']>['why'], string>
  next: string
}

export function VerifyForm({ words }: { words: Words }) {
  const [{ made }, send] = useActionState<FormState<VerifiedWire>, FormData>(verify, {})
  const label = made?.state === 'unfinished' ? words.more : words.submit
  return (
    <form action={send} className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <QuietSubmit label={label} busyLabel={words.busy} />
      <div role="status" className="min-w-0 flex-1 basis-72">
        {made && <Verdict made={made} words={words} />}
      </div>
    </form>
  )
}

function Verdict({
  made: { state, checked, broken },
  words,
}: {
  made: VerifiedWire
  words: Words
}) {
  const count = checked.toLocaleString('en')
  if (!broken) {
    const text = state === 'whole' ? words.whole : words.unfinished
    return <p className="font-semibold text-accent">{fill(text, { count })}</p>
  }
  return (
    <div className="grid gap-1">
      <p className="font-semibold text-danger">{fill(words.broken, { seq: broken.seq, count })}</p>
      <p>{words.why[broken.why]}</p>
      <p className="text-muted">{words.next}</p>
    </div>
  )
}
