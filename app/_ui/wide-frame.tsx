import type { ReactNode } from 'react'
import { frameWords } from './frame-words'
import { BroadFrame } from './portal-frame'

/** A page that needs the room: something beside the content, and no drawing. */
export async function WideFrame({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <BroadFrame words={await frameWords()} aside={aside}>
      {children}
    </BroadFrame>
  )
}
