import { ANY_APPLICATION } from '@/lib/access/policy'
import { hasTerms, type Terms as TermsOf } from '@/lib/admin/terms'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Moment } from './moment'
import { StateBadge } from './state-badge'

/** The terms of a grant or an assignment, in words; nothing where it simply holds. */
export async function Terms({ terms }: { terms: TermsOf }) {
  const { terms: words } = (await currentMessages()).admin
  const { effect, condition, validFrom, validUntil, exchangeFrom } = terms
  const ended = validUntil !== null && new Date(validUntil) <= new Date()
  if (!hasTerms(terms)) {
    return <span className="text-muted text-small">{words.always}</span>
  }
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-small">
      {effect === 'deny' && <StateBadge tone="bad">{words.denies}</StateBadge>}
      {ended && <StateBadge tone="quiet">{words.ended}</StateBadge>}
      {exchangeFrom && (
        <span className="[overflow-wrap:anywhere]">
          {exchangeFrom === ANY_APPLICATION
            ? words.exchangeAny
            : fill(words.exchange, { app: exchangeFrom })}
        </span>
      )}
      {validFrom && (
        <span>
          {words.from} <Moment at={validFrom} />
        </span>
      )}
      {validUntil && (
        <span>
          {words.until} <Moment at={validUntil} />
        </span>
      )}
      {condition && (
        <span className="min-w-0">
          {words.when}{' '}
          <code className="font-mono text-muted [overflow-wrap:anywhere]">{condition}</code>
        </span>
      )}
    </span>
  )
}
