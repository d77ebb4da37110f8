import type { ReactNode } from 'react'
import { currentMessages, currentSettings } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { skipLinkClass, wideColumnClass } from './layout-classes'
import { Preferences } from './preferences'
import { Wordmark } from './wordmark'

/** A page that needs the room: something beside the content, and no drawing. */
export async function WideFrame({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  const { frame } = await currentMessages()
  const { name } = (await currentSettings()).branding
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className={skipLinkClass}>
        {frame.skip}
      </a>
      <header className={`${wideColumnClass} pt-5 sm:pt-8`}>
        <Wordmark label={fill(frame.home, { name })} name={name} />
      </header>
      <div
        className={`${wideColumnClass} grid flex-1 content-start gap-x-12 lg:grid-cols-[15rem_minmax(0,1fr)]`}
      >
        {aside}
        <main id="content" tabIndex={-1} className="min-w-0 pt-8 pb-16 outline-none lg:pt-12">
          {children}
        </main>
      </div>
      <footer className="border-t border-line">
        <div className={`${wideColumnClass} py-4`}>
          <Preferences />
        </div>
      </footer>
    </div>
  )
}
