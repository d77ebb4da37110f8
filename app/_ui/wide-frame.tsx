import type { ReactNode } from 'react'
import { wideColumnClass } from './layout-classes'
import { PortalFrame } from './portal-frame'

/** A page that needs the room: something beside the content, and no drawing. */
export function WideFrame({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <PortalFrame
      column={wideColumnClass}
      grid="content-start gap-x-12 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      {aside}
      <main id="content" tabIndex={-1} className="min-w-0 pt-8 pb-16 outline-none lg:pt-12">
        {children}
      </main>
    </PortalFrame>
  )
}
