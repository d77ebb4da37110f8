'use client'

import type { ReactNode } from 'react'
import { skipLinkClass } from '@/app/_ui/layout-classes'
import { type Choices, Preferences } from '@/app/_ui/preferences'
import { Wordmark } from '@/app/_ui/wordmark'
import type { Locale } from '@/lib/i18n'
import { Palette } from './palette'
import type { PaletteWords } from './palette-box'

/**
 * What is around every admin page: components of the browser, so that only their words are in the
 * data of a page.
 */

export type Above = { href: string; label: string }

type Entry = { path: string; name: string }

export type SideWords = {
  name: string
  logos?: { light: string | null; dark: string | null }
  home: string
  palette: PaletteWords
  locale: Locale
  menu: string
  navigation: string
  current: { path: string; name: string }
  groups: readonly (readonly Entry[])[]
  user: string | null
  account: string
  help: string
  signOut: string
}

type Props = {
  skip: string
  side: SideWords
  notice: ReactNode
  title: string
  intro?: ReactNode
  above?: Above
  action?: ReactNode
  choices: readonly Choices[]
  children: ReactNode
}

export function AdminShell({ skip, side, notice, above, title, action, ...rest }: Props) {
  const { intro, choices, children } = rest
  return (
    <div className="flex min-h-dvh flex-col lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:grid-rows-[1fr_auto]">
      <a href="#content" className={skipLinkClass}>
        {skip}
      </a>
      <Side {...side} />
      <main
        id="content"
        tabIndex={-1}
        className="min-w-0 flex-1 px-5 pt-6 pb-16 outline-none sm:px-8 lg:px-12 lg:pt-10"
      >
        <div className="mx-auto grid max-w-[76rem] grid-cols-[minmax(0,1fr)] gap-7">
          {notice}
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
        <Preferences choices={choices} />
      </footer>
    </div>
  )
}

function Side({
  name,
  logos,
  home,
  palette,
  locale,
  menu,
  navigation,
  current,
  groups,
  ...whose
}: SideWords) {
  return (
    <header className="border-line bg-raised max-lg:border-b lg:row-span-2 lg:border-e">
      <div className="px-5 py-3 sm:px-8 lg:sticky lg:top-0 lg:max-h-dvh lg:overflow-y-auto lg:px-5 lg:py-5">
        <div className="flex items-center justify-between gap-4 lg:grid lg:grid-cols-1 lg:gap-4">
          <Wordmark label={home} name={name} logos={logos} />
          <div className="lg:w-full">
            <Palette words={palette} locale={locale} />
          </div>
        </div>
        <details className="open-when-wide group mt-1 lg:mt-4">
          <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
            {menu}: {current.name}
            <span aria-hidden="true" className="ms-2 text-muted group-open:rotate-180">
              ▾
            </span>
          </summary>
          <nav aria-label={navigation} className="grid gap-3 pb-2 lg:gap-2 lg:pb-0">
            {groups.map((group) => (
              <ul
                key={group[0]?.path}
                className="grid gap-0.5 border-line border-t pt-3 lg:gap-0 lg:pt-2"
              >
                {group.map(({ path, name: label }) => (
                  <li key={path}>
                    <a
                      href={path}
                      aria-current={path === current.path ? 'page' : undefined}
                      className="side-link"
                    >
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            ))}
            <Whose {...whose} />
          </nav>
        </details>
      </div>
    </header>
  )
}

type WhoseProps = Pick<SideWords, 'user' | 'account' | 'help' | 'signOut'>

function Whose({ user, account, help, signOut }: WhoseProps) {
  return (
    <div className="grid gap-0.5 border-line border-t pt-3 text-small lg:gap-0 lg:pt-2">
      <a href="/account" className="side-link">
        <span className="grid min-w-0 py-1">
          <span className="font-semibold text-ink [overflow-wrap:anywhere]">{user}</span>
          <span className="text-muted">{account}</span>
        </span>
      </a>
      <div className="flex flex-wrap">
        <a href="/docs" className="side-link">
          {help}
        </a>
        <a href="/logout" className="side-link">
          {signOut}
        </a>
      </div>
    </div>
  )
}
