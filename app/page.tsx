import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { currentLocale, currentMessages, currentSettings } from '@/lib/browser/locale'
import { currentSession, leavingSession, type Session } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { version } from '@/package.json'
import { Heading } from './_ui/heading'
import { LinkButton } from './_ui/link-button'
import { PageFrame } from './_ui/page-frame'
import { Panel } from './_ui/panel'
import { Home } from './account/home/home'

export default async function FrontPage() {
  const session = await currentSession()
  if (!session && (await leavingSession())) redirect('/account/keep')
  if (session?.user.adminRole) redirect('/admin')
  return (
    <PageFrame gate={session ? 'open' : 'shut'}>
      {session ? <Welcome session={session} /> : <Introduction />}
    </PageFrame>
  )
}

async function Introduction() {
  const { front } = await currentMessages()
  const { name } = (await currentSettings()).branding
  return (
    <div className="grid gap-9">
      <Heading hero title={front.headline} text={fill(front.about, { name })} />
      <div>
        <LinkButton href="/login">{front.signIn}</LinkButton>
      </div>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-small text-muted">
        <a href="/.well-known/openid-configuration" className="text-link">
          {front.discovery}
        </a>
        <a href="/docs" className="text-link">
          {front.guides}
        </a>
        <a href="/docs/api" className="text-link">
          {front.docs}
        </a>
        <span>{fill(front.version, { version })}</span>
      </p>
    </div>
  )
}

async function Welcome({ session }: { session: Session }) {
  const { user, signedInAt } = session
  const { front } = await currentMessages()
  const locale = await currentLocale()
  const hello = user.name ? fill(front.hello, { name: user.name }) : front.helloUnknown
  return (
    <div className="grid gap-8">
      <Heading hero title={hello} text={front.signedIn} />
      <Home session={session} />
      <Panel title={front.account}>
        <dl className="mt-3 grid gap-x-8 gap-y-2 sm:grid-cols-[max-content_1fr]">
          <Fact term={front.name}>{user.name ?? front.notGiven}</Fact>
          <Fact term={front.email}>{user.email ?? front.notGiven}</Fact>
          <Fact term={front.since}>
            <time dateTime={signedInAt.toISOString()}>
              {timeAgo(signedInAt, new Date(), locale)}
            </time>
          </Fact>
        </dl>
      </Panel>
      <div className="flex flex-wrap gap-3">
        <LinkButton href="/account">{front.manage}</LinkButton>
        <LinkButton href="/logout" tone="quiet">
          {front.signOut}
        </LinkButton>
      </div>
    </div>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted max-sm:mt-1 max-sm:text-small">{term}</dt>
      <dd className="min-w-0 font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
