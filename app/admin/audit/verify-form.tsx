'use client'

import { useActionState } from 'react'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import type { VerifiedWire } from '@/lib/api/records/audit'
import type { FormState } from '@/lib/browser/api-form'
import type { Locale, Messages } from '@/lib/i18n'
import { plural } from '@/lib/i18n/plural'
import { verify } from './actions'

type Words = Messages['admin']['audit']['verify']

type Props = { words: Words; locale: Locale }

export function VerifyForm({ words, locale }: Props) {
  const [{ made }, send] = useActionState<FormState<VerifiedWire>, FormData>(verify, {})
  const label = made?.state === 'unfinished' ? words.more : words.submit
  return (
    <form action={send} className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <QuietSubmit label={label} busyLabel={words.busy} />
      <div role="status" className="min-w-0 flex-1 basis-72">
        {made && <CheckResult made={made} words={words} locale={locale} />}
      </div>
    </form>
  )
}

function CheckResult({ made, words, locale }: Props & { made: VerifiedWire }) {
  const { state, checked, broken } = made
  if (!broken) {
    const text = state === 'whole' ? words.whole : words.unfinished
    return <p className="font-semibold text-accent">{plural(locale, text, checked)}</p>
  }
  return (
    <div className="grid gap-1">
      <p className="font-semibold text-danger">
        {plural(locale, words.broken, checked, { seq: broken.seq })}
      </p>
      <p>{words.why[broken.why]}</p>
      <p className="text-muted">{words.next}</p>
    </div>
  )
}
