import type { StepWire } from '../api/decision/decision'
import type { Messages } from '../i18n'
import { fill } from '../i18n/fill'
import { dateFormat } from '../i18n/formats'
import type { Locale } from '../i18n/locales'

/** Where access comes from that somebody asked for: who approved it, and until when. */

type Words = Messages['admin']['access']['path']
type Approval = NonNullable<StepWire['request']>

export function approvalHref({ id }: Approval): string {
  return `/account/approvals/${encodeURIComponent(id)}`
}

export function approvalText(
  { approvers, emergency, until }: Approval,
  words: Words,
  locale: Locale,
): string {
  const names = approvers.map(({ id, name }) => name ?? id).join(', ')
  const parts = [
    emergency && words.requestEmergency,
    names !== '' && fill(words.requestApproved, { names }),
    until !== null && fill(words.requestUntil, { until: momentIn(until, locale) }),
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

function momentIn(at: string, locale: Locale): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${dateFormat(locale, format).format(new Date(at))} UTC`
}
