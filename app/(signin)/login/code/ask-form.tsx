'use client'

import { useActionState } from 'react'
import { Badge } from '@/app/_ui/badge'
import { ErrorSummary } from '@/app/_ui/error-summary'
import { useLocale } from '@/app/_ui/locale'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import type { Messages } from '@/lib/i18n'
import { slowDownText } from '../problem'
import type { WaitWords } from '../words'
import { askForCode } from './actions'

type Props = {
  returnTo: string
  identifier: string
  words: Pick<Messages['signInCode'], 'ask' | 'asking' | 'off'> &
    Pick<Messages['login'], 'slowDown'> &
    WaitWords
  /** What the badge says if this was the last method. */
  lastUsed: string | undefined
}

/** Beside the password: a mail with a code instead. */
export function AskForCode({ returnTo, identifier, words, lastUsed }: Props) {
  const [{ problem, retryAfterSeconds }, action] = useActionState(askForCode, {})
  const slowDown = slowDownText(retryAfterSeconds, words, useLocale())
  const text = problem === 'off' ? words.off : slowDown
  return (
    <form action={action} className="grid justify-items-start gap-2">
      {problem && <ErrorSummary title={words.slowDown} problems={[{ text }]} />}
      <input type="hidden" name="returnTo" value={returnTo} />
      <input type="hidden" name="identifier" value={identifier} />
      <QuietSubmit wide label={words.ask} busyLabel={words.asking} />
      {lastUsed && <Badge>{lastUsed}</Badge>}
    </form>
  )
}
