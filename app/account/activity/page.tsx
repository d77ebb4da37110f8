import { LinkButton } from '@/app/_ui/link-button'
import { When } from '@/app/_ui/when'
import { type Activity, listActivity } from '@/lib/accounts/activity'
import { ACTIVITY_EVENTS, ACTIVITY_FAILURES } from '@/lib/base/events'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { requireUser } from '@/lib/browser/session'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AccountFrame } from '../frame'

export const generateMetadata = pageTitle(({ account }) => account.activity.title)

type Words = Messages['account']['activity']

const SHOWN = [...new Set([...ACTIVITY_EVENTS, ...ACTIVITY_FAILURES])]

export default async function ActivityPage({ searchParams }: PageProps) {
  const session = await requireUser()
  const { before } = await searchParams
  const { account, passkeys } = await currentMessages()
  const { activity: words } = account
  const cursor = typeof before === 'string' ? before : null
  const { entries, older } = await listActivity(await op(), session, SHOWN, cursor)
  return (
    <AccountFrame page="activity" title={words.title} intro={words.intro}>
      {entries.length === 0 ? <p className="text-muted">{words.none}</p> : null}
      <ol className="grid divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.id} className="grid gap-0.5 py-3">
            <span className={isBad(entry) ? 'font-medium text-danger' : 'font-medium'}>
              {sentenceOf(entry, words, passkeys.activity)}
            </span>
            <span className="text-muted text-small">
              <When at={entry.at} full />
              {entry.ip !== null && ` · ${fill(words.from, { ip: entry.ip })}`}
              {entry.byAdmin && ` · ${words.byAdmin}`}
            </span>
            {entry.reason !== null && (
              <span className="text-small [overflow-wrap:anywhere]">
                {fill(words.reason, { reason: entry.reason })}
              </span>
            )}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        {older !== null && (
          <LinkButton href={`/account/activity?before=${older}`} tone="quiet">
            {words.older}
          </LinkButton>
        )}
        {cursor !== null && (
          <LinkButton href="/account/activity" tone="quiet">
            {words.newest}
          </LinkButton>
        )}
      </div>
    </AccountFrame>
  )
}

/** A refusal of theirs is no failure; a wrong code may be somebody else's. */
function isBad({ event, failed }: Activity): boolean {
  return failed && ACTIVITY_FAILURES.some((one) => one === event)
}

function sentenceOf(
  { event, failed, method, appName }: Activity,
  words: Words,
  byPasskey: Readonly<Record<string, string>>,
): string {
  const app = appName ?? words.unknownApp
  const failure = ACTIVITY_FAILURES.find((one) => failed && one === event)
  if (failure) return fill(words.failures[failure], { app })
  if (event === 'login.second_factor' && method === 'recovery_code') return words.byRecoveryCode
  if (method === 'passkey' && byPasskey[event] !== undefined) return byPasskey[event]
  if (event === 'login.succeeded' && method === 'upstream') return words.byUpstream
  if (event === 'login.succeeded' && method === 'mail') return words.byMail
  const known = ACTIVITY_EVENTS.find((one) => one === event)
  return known ? fill(words.events[known], { app }) : event
}
