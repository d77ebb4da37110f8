import { When } from '@/app/_ui/when'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { timeAgo, timeUntil } from '@/lib/i18n/time-ago'
import { op } from '@/lib/op'
import { StateBadge } from '../../../_ui/state-badge'

/** Whether a credential works, for how long, and when it last did. */

type CredentialState = 'live' | 'ending' | 'over'

const SOON_MS = 7 * 24 * 3_600_000

type Dated = { expiresAt: string | null; stopped: boolean }

export function credentialState({ expiresAt, stopped }: Dated, now: Date): CredentialState {
  if (stopped) return 'over'
  if (expiresAt === null) return 'live'
  const left = Date.parse(expiresAt) - now.getTime()
  if (left <= 0) return 'over'
  return left < SOON_MS ? 'ending' : 'live'
}

const TONES = { live: 'good', ending: 'bad', over: 'quiet' } as const

export async function CredentialStateBadge({ state }: { state: CredentialState }) {
  const { credentials: words } = (await currentMessages()).admin.applications
  return <StateBadge tone={TONES[state]}>{words[state]}</StateBadge>
}

/** A countdown while it runs. */
export async function Ending({ expiresAt, stopped }: Dated) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const { now } = await op()
  if (stopped) return words.revoked
  if (expiresAt === null) return words.forever
  const state = credentialState({ expiresAt, stopped }, now())
  if (state === 'over') return words.expired
  const when = timeUntil(new Date(expiresAt), now(), await currentLocale())
  const text = fill(state === 'ending' ? words.endsIn : words.expiresIn, { when })
  return (
    <time dateTime={expiresAt} title={expiresAt}>
      {text}
    </time>
  )
}

type Used = { lastUsedAt: string | null; lastUsedIp: string | null }

export async function LastUse({ lastUsedAt, lastUsedIp }: Used) {
  const { credentials: words } = (await currentMessages()).admin.applications
  if (lastUsedAt === null) return words.neverUsed
  const when = timeAgo(new Date(lastUsedAt), new Date(), await currentLocale())
  const text =
    lastUsedIp === null
      ? fill(words.usedOn, { when })
      : fill(words.usedFrom, { when, ip: lastUsedIp })
  return (
    <time dateTime={lastUsedAt} title={lastUsedAt}>
      {text}
    </time>
  )
}

export async function CreatedOn({ at }: { at: string }) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const [before = '', after = ''] = words.createdOn.split('{when}')
  return (
    <>
      {before}
      <When at={at} />
      {after}
    </>
  )
}
