import type { ReactNode } from 'react'
import { currentSettings } from '@/lib/browser/locale'
import { frameWords } from './frame-words'
import { PlainFrame } from './portal-frame'

type Props = {
  gate?: 'shut' | 'open'
  plain?: boolean
  /** The ID of a picture that an application has in place of the portal's. */
  picture?: string | null | undefined
  children: ReactNode
}

/**
 * Every page: the words on one side, a picture or the gatehouse on the footer's line on the other.
 * A `plain` page has work to do and drops the drawing on a phone.
 */
export async function PageFrame({ gate = 'shut', plain = false, picture, children }: Props) {
  const { pictures, drawing } = (await currentSettings()).branding
  const shown = picture ?? pictures.picture
  return (
    <PlainFrame
      words={await frameWords()}
      gate={drawing ? gate : null}
      plain={plain}
      picture={shown}
    >
      {children}
    </PlainFrame>
  )
}
