'use client'

import { useActionState } from 'react'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import type { FormState } from '@/lib/browser/api-form'
import type { FormWords } from '../_ui/form'

type Props = {
  action(before: FormState, form: FormData): Promise<FormState>
  words: FormWords
  hidden: Readonly<Record<string, string>>
  text?: string
}

/** One quiet button: keys look after themselves. */
export function KeyForm({ action, words, hidden, text }: Props) {
  const [{ problems = [] }, send] = useActionState(action, {})
  return (
    <form action={send} className="grid gap-4">
      {problems.length > 0 && <ErrorSummary title={words.problem} problems={problems} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <QuietSubmit label={words.submit} busyLabel={words.busy} />
        {text !== undefined && <p className="min-w-0 flex-1 basis-72 text-muted">{text}</p>}
      </div>
    </form>
  )
}
