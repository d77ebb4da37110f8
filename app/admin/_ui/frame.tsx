import type { ReactNode } from 'react'
import { skipLinkClass } from '@/app/_ui/layout-classes'
import { Preferences } from '@/app/_ui/preferences'
import { Wordmark } from '@/app/_ui/wordmark'
import type { AdminApi } from '@/lib/admin/api'
import { entranceOf, NAVIGATION, type NavigationPath } from '@/lib/admin/pages'
import { currentLocale, currentMessages, currentSettings } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Notice } from './notice'
import { Palette } from './palette'

type Props = {
  api: AdminApi
  /** Which entry of the navigation this page belongs to. */
  page: NavigationPath
  title: string
  intro?: ReactNode
  /** The way back, on pages below another. */
  above?: { href: string; label: string }
  /** The page's own main action. */
  action?: ReactNode
  done?: unknown
  children: ReactNode
}

/** Every admin page: where one can go, where one is, what was just done, then the page itself. */
export async function AdminFrame(props: Props) {
  const { api, page, title, intro, above, action, done, children } = props
  const { frame } = await currentMessages()
  return (
    <div className="flex min-h-dvh flex-col lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:grid-rows-[1fr_auto]">
      <a href="#content" className={skipLinkClass}>
        {frame.skip}
      </a>
      <Side api={api} current={page} />
      <main
        id="content"
        tabIndex={-1}
        className="min-w-0 flex-1 px-5 pt-6 pb-16 outline-none sm:px-8 lg:px-12 lg:pt-10"
      >
        <div className="mx-auto grid max-w-[76rem] grid-cols-[minmax(0,1fr)] gap-7">
          <Notice done={done} />
          <div className="grid gap-3">
            {above && (
              <a href={above.href} className="w-fit text-link text-small">
                ← {above.label}
              </a>
            )}
            <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
              <h1 className="display text-title [overflow-wrap:anywhere]">{title}</h1>
              {action}
            </div>
            {intro && <div className="max-w-[46rem] text-muted">{intro}</div>}
          </div>
          {children}
        </div>
      </main>
      <footer className="border-line border-t px-5 py-4 sm:px-8 lg:col-start-2 lg:px-12">
        <Preferences />
      </footer>
    </div>
  )
}

async function Side({ api, current }: { api: AdminApi; current: NavigationPath }) {
  const { admin, frame } = await currentMessages()
  const locale = await currentLocale()
  // The labels and other words are in the destinations.
  const { labels: _labels, also: _also, ...words } = admin.palette
  const { name } = (await currentSettings()).branding
  const groups = NAVIGATION.map((group) =>
    group.flatMap((path) => {
      const href = entranceOf(path, api.may)
      return href ? [{ path, href }] : []
    }),
  ).filter((group) => group.length > 0)
  return (
    <header className="border-line bg-raised max-lg:border-b lg:row-span-2 lg:border-e">
      <div className="px-5 py-3 sm:px-8 lg:sticky lg:top-0 lg:max-h-dvh lg:overflow-y-auto lg:px-5 lg:py-6">
        <div className="flex items-center justify-between gap-4 lg:grid lg:grid-cols-1 lg:gap-5">
          <Wordmark label={fill(frame.home, { name })} name={name} />
          <div className="lg:w-full">
            <Palette words={words} locale={locale} />
          </div>
        </div>
        <details className="open-when-wide group mt-1 lg:mt-5">
          <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
            {admin.menu}: {admin.pages[current]}
            <span aria-hidden="true" className="ms-2 text-muted group-open:rotate-180">
              ▾
            </span>
          </summary>
          <nav aria-label={admin.navigation} className="grid gap-3 pb-2">
            {groups.map((group) => (
              <ul key={group[0]?.path} className="grid gap-0.5 border-line border-t pt-3">
                {group.map(({ path, href }) => (
                  <li key={path}>
                    <a
                      href={href}
                      aria-current={path === current ? 'page' : undefined}
                      className="side-link"
                    >
                      {admin.pages[path]}
                    </a>
                  </li>
                ))}
              </ul>
            ))}
            <Whose api={api} />
          </nav>
        </details>
      </div>
    </header>
  )
}

async function Whose({ api: { session } }: { api: AdminApi }) {
  const { admin } = await currentMessages()
  const { name, email, adminRole } = session.user
  return (
    <div className="grid gap-0.5 border-line border-t pt-3 text-small">
      <a href="/account" className="side-link">
        <span className="grid min-w-0 py-1">
          <span className="font-semibold text-ink [overflow-wrap:anywhere]">{name ?? email}</span>
          <span className="text-muted">
            {adminRole && admin.roles[adminRole]} · {admin.account}
          </span>
        </span>
      </a>
      <div className="flex flex-wrap">
        <a href="/docs" className="side-link">
          {admin.help}
        </a>
        <a href="/logout" className="side-link">
          {admin.palette.labels.signOut}
        </a>
      </div>
    </div>
  )
}
