import type { ReactNode } from 'react'
import { Gatehouse } from './gatehouse'
import { columnClass, mainClass } from './layout-classes'
import { PortalFrame } from './portal-frame'

type Props = { gate?: 'shut' | 'open'; plain?: boolean; children: ReactNode }

/**
 * Every page: the words on one side, the gatehouse on the footer's line on the other.
 * A `plain` page has work to do and drops the drawing on a phone.
 */
export function PageFrame({ gate = 'shut', plain = false, children }: Props) {
  return (
    <PortalFrame column={columnClass} grid={grid}>
      <main id="content" tabIndex={-1} className={mainClass}>
        {children}
      </main>
      <Gatehouse open={gate === 'open'} className={`${drawing} ${plain ? 'max-sm:hidden' : ''}`} />
    </PortalFrame>
  )
}

const grid =
  'grid-rows-[1fr_auto] gap-x-16 lg:grid-cols-[minmax(0,34rem)_minmax(0,1fr)] lg:grid-rows-1'
const drawing = 'w-44 self-end justify-self-end sm:w-72 lg:w-full lg:max-w-[33rem]'
