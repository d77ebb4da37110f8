import type { StepWire } from '../api/decision/decision'
import type { Messages } from '../i18n'
import { fill } from '../i18n/fill'
import { type Clock, written } from '../i18n/moments'

/** Where access comes from that somebody asked for: who approved it, and until when. */

type Words = Messages['admin']['access']['path']
type Approval = NonNullable<StepWire['request']>

export function approvalHref({ id }: Pick<Approval, 'id'>): string {
  return `/account/approvals/${encodeURIComponent(id)}`
}

export function approvalText(
  { approvers, emergency, until }: Approval,
  words: Words,
  clock: Clock,
): string {
  const names = approvers.map(({ id, name }) => name ?? id).join(', ')
  const parts = [
    emergency && words.requestEmergency,
    names !== '' && fill(words.requestApproved, { names }),
    until !== null && fill(words.requestUntil, { until: written(until, 'moment', clock) }),
  ]
  return parts.filter((part) => part !== false).join(' · ')
}
