import type { ReactNode } from 'react'
import { Heading } from '@/app/_ui/heading'
import { WideFrame } from '@/app/_ui/wide-frame'
import { countUnread } from '@/lib/accounts/news'
import { signedInCaller } from '@/lib/api/http/caller'
import { countWaitingFor, MOST_COUNTED } from '@/lib/api/requests/seen'
import { someReviewWaitsFor } from '@/lib/api/reviews/routes'
import { currentMessages } from '@/lib/browser/locale'
import { requireUser } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { Notice } from './notice'
import { ownPicture } from './own-picture'
import { Portrait } from './portrait'

const PAGES = {
  home: '/account/home',
  profile: '/account',
  security: '/account/security',
  sessions: '/account/sessions',
  apps: '/account/apps',
  access: '/account/access',
  approvals: '/account/approvals',
  reviews: '/account/reviews',
  activity: '/account/activity',
  data: '/account/data',
} as const

type AccountPage = keyof typeof PAGES

type Props = {
  page: AccountPage
  title: string
  intro?: string
  done?: unknown
  children: ReactNode
}

/** Every page of the account: where one can go, what was just done, then the page itself. */
export async function AccountFrame({ page, title, intro, done, children }: Props) {
  return (
    <WideFrame aside={<Navigation current={page} />}>
      <div className="grid max-w-[42rem] gap-8">
        <Notice done={done} />
        <Heading title={title} {...(intro !== undefined && { text: intro })} />
        {children}
      </div>
    </WideFrame>
  )
}

async function Navigation({ current }: { current: AccountPage }) {
  const { account } = await currentMessages()
  const session = await requireUser()
  const portal = await op()
  const waiting = await countWaitingFor(portal, session.user.id)
  const unread = await countUnread(portal, session)
  const reviews =
    current === 'reviews' || (await someReviewWaitsFor(portal, signedInCaller(session)))
  const shown: Partial<Record<string, boolean>> = {
    approvals: current === 'approvals' || waiting > 0,
    reviews,
  }
  const pages = Object.entries(PAGES).filter(([page]) => shown[page] ?? true)
  return (
    <nav aria-label={account.navigation} className="grid content-start gap-4 pt-6 lg:pt-12">
      <Whose />
      <ul className="-mx-2 flex flex-wrap gap-1 sm:-mx-3 lg:sticky lg:top-[calc(2rem+var(--above,0rem))] lg:grid">
        {pages.map(([page, href]) => (
          <li key={page}>
            <a
              href={href}
              aria-current={page === current ? 'page' : undefined}
              className="account-link"
            >
              {account.pages[page as AccountPage]}
              {page === 'approvals' && <Count of={waiting} text="waitingCount" />}
              {page === 'home' && <Count of={unread} text="unreadCount" />}
            </a>
          </li>
        ))}
        <li className="lg:mt-3 lg:border-line lg:border-t lg:pt-3">
          <a href="/logout" className="account-link">
            {account.signOut}
          </a>
        </li>
      </ul>
    </nav>
  )
}

type CountProps = { of: number; text: 'waitingCount' | 'unreadCount' }

/** Nothing for none; a number up to the most that is counted. */
async function Count({ of, text }: CountProps) {
  const { home } = (await currentMessages()).account
  if (of === 0) return null
  const count = of < MOST_COUNTED ? String(of) : fill(home.orMore, { count: String(of - 1) })
  return (
    <span className="ms-2 rounded-control border border-edge px-1.5 text-small">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{fill(home[text], { count })}</span>
    </span>
  )
}

/** Whose account this is, at a glance. */
async function Whose() {
  const session = await requireUser()
  const path = await ownPicture()
  const { name, email } = session.user
  return (
    <p className="flex items-center gap-3 font-semibold">
      <Portrait path={path} name={name ?? email} alt="" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{name ?? email}</span>
    </p>
  )
}
