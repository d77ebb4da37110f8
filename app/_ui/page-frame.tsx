import type { ReactNode } from 'react'
import { frameWords } from './frame-words'
import { PlainFrame } from './portal-frame'

type Props = { gate?: 'shut' | 'open'; plain?: boolean; children: ReactNode }

/**
 * Every page: the words on one side, the gatehouse on the footer's line on the other.
 * A `plain` page has work to do and drops the drawing on a phone.
 */
export async function PageFrame({ gate = 'shut', plain = false, children }: Props) {
  return (
    <PlainFrame words={await frameWords()} gate={gate} plain={plain}>
      {children}
    </PlainFrame>
  )
}
