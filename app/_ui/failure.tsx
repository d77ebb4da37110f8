'use client'

import { type Locale, languages } from '@/lib/i18n/locales'
import { Button } from './button'
import { CodeBlock } from './code-block'
import { EmptyState } from './empty-state'
import { LinkButton } from './link-button'

type Props = { locale: Locale; error: unknown; retry: () => void }

export function Failure({ locale, error, retry }: Props) {
  const words = languages[locale].failure
  const reference = digestOf(error)
  return (
    <EmptyState title={words.title} text={reference ? words.bodyWithReference : words.body}>
      {reference && <CodeBlock code={reference} copy={words.copy} copied={words.copied} />}
      <div className="flex flex-wrap gap-3">
        <Button onClick={retry}>{words.retry}</Button>
        <LinkButton href="/" tone="quiet">
          {words.back}
        </LinkButton>
      </div>
    </EmptyState>
  )
}

function digestOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('digest' in error)) return null
  return typeof error.digest === 'string' ? error.digest : null
}
