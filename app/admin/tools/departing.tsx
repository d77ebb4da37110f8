'use client'

import { useDeparture } from '@/app/_ui/departure'
import { useMade } from '../_ui/form'

/** The browser itself goes on, so that the request is resumed once; see lib/browser/redirect-after-action.ts. */
export function Departing() {
  useDeparture(useMade<{ goTo: string }>() ?? NOWHERE)
  return null
}

const NOWHERE = {}
