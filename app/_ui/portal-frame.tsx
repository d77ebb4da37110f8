'use client'

import type { ReactNode } from 'react'
import { Gatehouse } from './gatehouse'
import { columnClass, mainClass, skipLinkClass, wideColumnClass } from './layout-classes'
import { type Choices, Preferences } from './preferences'
import { Wordmark } from './wordmark'

/**
 * What is around every page that is not for admins. These are components of the browser, so that
 * only their words are in the data of a page, and not all of their elements a second time.
 */

export type FrameWords = {
  name: string
  home: string
  skip: string
  choices: readonly Choices[]
  logos?: { light: string | null; dark: string | null }
  /** To pages of the operator. */
  links?: { label: string; all: readonly { href: string; text: string }[] }
}

type PlainProps = {
  words: FrameWords
  /** Null for no drawing. */
  gate: 'shut' | 'open' | null
  plain: boolean
  /** In place of the drawing. */
  picture: string | null
  children: ReactNode
}

export function PlainFrame({ words, gate, plain, picture, children }: PlainProps) {
  return (
    <PortalFrame words={words} column={columnClass} grid={PLAIN_GRID}>
      <main id="content" tabIndex={-1} className={mainClass}>
        {children}
      </main>
      {picture !== null && <Picture id={picture} />}
      {picture === null && gate !== null && (
        <Gatehouse
          open={gate === 'open'}
          className={`${DRAWING} ${plain ? 'max-sm:hidden' : ''}`}
        />
      )}
    </PortalFrame>
  )
}

/** Its place is kept before it is there, and a phone does not load it. */
function Picture({ id }: { id: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: drawn by us, no loader needed
    <img
      src={`/logo/${id}`}
      alt=""
      loading="lazy"
      decoding="async"
      className="mb-10 aspect-[4/3] w-72 self-end justify-self-end rounded-panel object-cover max-sm:hidden lg:w-full lg:max-w-[33rem]"
    />
  )
}

const PLAIN_GRID =
  'grid-rows-[1fr_auto] gap-x-16 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)] lg:grid-rows-1'
const DRAWING = 'w-44 self-end justify-self-end sm:w-72 lg:w-full lg:max-w-[33rem]'

type BroadProps = { words: FrameWords; aside: ReactNode; children: ReactNode }

export function BroadFrame({ words, aside, children }: BroadProps) {
  return (
    <PortalFrame words={words} column={wideColumnClass} grid={BROAD_GRID}>
      {aside}
      <main id="content" tabIndex={-1} className="min-w-0 pt-8 pb-16 outline-none lg:pt-12">
        {children}
      </main>
    </PortalFrame>
  )
}

const BROAD_GRID = 'content-start gap-x-12 lg:grid-cols-[15rem_minmax(0,1fr)]'

type Props = { words: FrameWords; column: string; grid: string; children: ReactNode }

/** The name above, the preferences below. */
function PortalFrame({ words, column, grid, children }: Props) {
  const { name, home, skip, choices, logos, links } = words
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className={skipLinkClass}>
        {skip}
      </a>
      <header className={`${column} pt-5 sm:pt-8`}>
        <Wordmark label={home} name={name} logos={logos} />
      </header>
      <div className={`${column} grid flex-1 ${grid}`}>{children}</div>
      <footer className="border-t border-line">
        <div className={`${column} grid gap-3 py-4`}>
          {links && (
            <nav aria-label={links.label} className="flex flex-wrap gap-x-6 gap-y-1 text-small">
              {links.all.map(({ href, text }) => (
                <a
                  key={text}
                  href={href}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="inline-flex min-h-6 items-center text-link"
                >
                  {text}
                </a>
              ))}
            </nav>
          )}
          <Preferences choices={choices} />
        </div>
      </footer>
    </div>
  )
}
