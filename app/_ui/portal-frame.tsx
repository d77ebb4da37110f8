import type { ReactNode } from 'react'
import { currentMessages, currentSettings } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { skipLinkClass } from './layout-classes'
import { Preferences } from './preferences'
import { Wordmark } from './wordmark'

type Props = { column: string; grid: string; children: ReactNode }

/** What is around every page that is not for admins: the name above, the preferences below. */
export async function PortalFrame({ column, grid, children }: Props) {
  const { frame } = await currentMessages()
  const { name } = (await currentSettings()).branding
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className={skipLinkClass}>
        {frame.skip}
      </a>
      <header className={`${column} pt-5 sm:pt-8`}>
        <Wordmark label={fill(frame.home, { name })} name={name} />
      </header>
      <div className={`${column} grid flex-1 ${grid}`}>{children}</div>
      <footer className="border-t border-line">
        <div className={`${column} py-4`}>
          <Preferences />
        </div>
      </footer>
    </div>
  )
}
