'use client'

import { useEffect, useState } from 'react'
import { ENGLISH_FAILURE, failureIn, type Failure as Said } from '@/lib/i18n/failure'
import { directionOf, type Locale } from '@/lib/i18n/locales'
import { Button } from './button'
import { CodeBlock } from './code-block'
import { EmptyState } from './empty-state'
import { LinkButton } from './link-button'

type Props = { locale: Locale; error: unknown; retry: () => void }

export function Failure({ locale: wanted, error, retry }: Props) {
  const said = useFailure(wanted)
  if (!said) return null
  const { locale, words } = said
  const reference = digestOf(error)
  return (
    <div lang={locale} dir={directionOf(locale)}>
      <EmptyState title={words.title} text={reference ? words.bodyWithReference : words.body}>
        {reference && <CodeBlock code={reference} copy={words.copy} copied={words.copied} />}
        <div className="flex flex-wrap gap-3">
          <Button onClick={retry}>{words.retry}</Button>
          <LinkButton href="/" tone="quiet">
            {words.back}
          </LinkButton>
        </div>
      </EmptyState>
    </div>
  )
}

/** Null while the words are on their way: no page brings them along. */
function useFailure(wanted: Locale): Said | null {
  const [said, say] = useState<Said | null>(
    wanted === ENGLISH_FAILURE.locale ? ENGLISH_FAILURE : null,
  )
  useEffect(() => {
    let isWanted = true
    failureIn(wanted).then((found) => isWanted && say(found))
    return () => {
      isWanted = false
    }
  }, [wanted])
  return said
}

function digestOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('digest' in error)) return null
  return typeof error.digest === 'string' ? error.digest : null
}
