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
}

type PlainProps = { words: FrameWords; gate: 'shut' | 'open'; plain: boolean; children: ReactNode }

export function PlainFrame({ words, gate, plain, children }: PlainProps) {
  return (
    <PortalFrame words={words} column={columnClass} grid={PLAIN_GRID}>
      <main id="content" tabIndex={-1} className={mainClass}>
        {children}
      </main>
      <Gatehouse open={gate === 'open'} className={`${DRAWING} ${plain ? 'max-sm:hidden' : ''}`} />
    </PortalFrame>
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
function PortalFrame({ words: { name, home, skip, choices }, column, grid, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className={skipLinkClass}>
        {skip}
      </a>
      <header className={`${column} pt-5 sm:pt-8`}>
        <Wordmark label={home} name={name} />
      </header>
      <div className={`${column} grid flex-1 ${grid}`}>{children}</div>
      <footer className="border-t border-line">
        <div className={`${column} py-4`}>
          <Preferences choices={choices} />
        </div>
      </footer>
    </div>
  )
}
