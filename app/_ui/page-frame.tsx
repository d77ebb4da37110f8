import type { ReactNode } from 'react'
import { currentMessages, currentSettings } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Gatehouse } from './gatehouse'
import { columnClass, mainClass, skipLinkClass } from './layout-classes'
import { Preferences } from './preferences'
import { Wordmark } from './wordmark'

type Props = { gate?: 'shut' | 'open'; plain?: boolean; children: ReactNode }

/**
 * Every page: the words on one side, the gatehouse standing on the footer's line on the other.
 * A `plain` page has work to do and drops the drawing on a phone.
 */
export async function PageFrame({ gate = 'shut', plain = false, children }: Props) {
  const { frame } = await currentMessages()
  const { name } = (await currentSettings()).branding
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className={skipLinkClass}>
        {frame.skip}
      </a>
      <header className={`${columnClass} pt-5 sm:pt-8`}>
        <Wordmark label={fill(frame.home, { name })} name={name} />
      </header>
      <div
        className={`${columnClass} grid flex-1 grid-rows-[1fr_auto] gap-x-16 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)] lg:grid-rows-1`}
      >
        <main id="content" tabIndex={-1} className={mainClass}>
          {children}
        </main>
        <Gatehouse
          open={gate === 'open'}
          className={`${drawing} ${plain ? 'max-sm:hidden' : ''}`}
        />
      </div>
      <footer className="border-t border-line">
        <div className={`${columnClass} py-4`}>
          <Preferences />
        </div>
      </footer>
    </div>
  )
}

const drawing = 'w-44 self-end justify-self-end sm:w-72 lg:w-full lg:max-w-[33rem]'
