import type { ReactNode } from 'react'
import { Badge } from '@/app/_ui/badge'
import { deviceName } from '@/app/_ui/device-name'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { listOwnSessions, type OwnSession } from '@/lib/accounts/own-sessions'
import { deviceOf } from '@/lib/base/device'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { requireUser } from '@/lib/browser/session'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { op } from '@/lib/op'
import { AccountFrame } from '../frame'
import { endAllOthers, endOne } from './actions'
import { TrustedDevices } from './trusted-devices'

export const generateMetadata = pageTitle(({ account }) => account.sessions.title)

type Words = Messages['account']['sessions']

export default async function SessionsPage({ searchParams }: PageProps) {
  const session = await requireUser()
  const { done } = await searchParams
  const { sessions: words } = (await currentMessages()).account
  const all = await listOwnSessions(await op(), session)
  const others = all.filter(({ current }) => !current)
  return (
    <AccountFrame page="sessions" title={words.title} intro={words.intro} done={done}>
      {all
        .filter(({ current }) => current)
        .map((own) => (
          <Section
            key={own.id}
            title={nameOf(own, words)}
            aside={<Badge>{words.thisDevice}</Badge>}
          >
            <Facts session={own} words={words} />
          </Section>
        ))}
      <Others sessions={others} words={words} />
      <TrustedDevices session={session} />
    </AccountFrame>
  )
}

async function Others({ sessions, words }: { sessions: OwnSession[]; words: Words }) {
  const locale = await currentLocale()
  if (sessions.length === 0) return <p className="text-muted">{words.none}</p>
  const spoken = (session: OwnSession) => ({
    device: nameOf(session, words),
    when: timeAgo(session.lastSeenAt, new Date(), locale),
  })
  return (
    <Section title={words.others} text={words.endText}>
      <ul className="grid divide-y divide-line border-line border-y">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-start justify-between gap-3 py-4">
            <div className="grid min-w-0 gap-2">
              <h3 className="font-semibold">{nameOf(session, words)}</h3>
              <Facts session={session} words={words} />
            </div>
            <form action={endOne}>
              <input type="hidden" name="id" value={session.id} />
              <QuietSubmit
                label={words.end}
                busyLabel={words.ending}
                name={fill(words.endNamed, spoken(session))}
              />
            </form>
          </li>
        ))}
      </ul>
      <form action={endAllOthers}>
        <QuietSubmit label={words.endOthers} busyLabel={words.ending} />
      </form>
    </Section>
  )
}

async function Facts({ session, words }: { session: OwnSession; words: Words }) {
  const place = (await op()).places.of(session.ip, await currentLocale())
  return (
    <dl className="grid gap-x-6 gap-y-0.5 text-small sm:grid-cols-[max-content_1fr]">
      <Fact term={words.address}>{session.ip ?? words.unknownAddress}</Fact>
      {place !== null && <Fact term={words.place}>{place}</Fact>}
      <Fact term={words.since}>
        <When at={session.createdAt} />
      </Fact>
      <Fact term={words.seen}>
        <When at={session.lastSeenAt} />
      </Fact>
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex gap-2 sm:contents">
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function nameOf({ userAgent }: OwnSession, words: Words): string {
  return deviceName(deviceOf(userAgent), words)
}
