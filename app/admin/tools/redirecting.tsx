'use client'

import { useRedirect } from '@/app/_ui/scripted'
import { useMade } from '../_ui/form'

/** The browser itself goes on, so that the request is resumed once; see lib/browser/redirect-after-action.ts. */
export function Redirecting() {
  useRedirect(useMade<{ goTo: string }>() ?? NOWHERE)
  return null
}

const NOWHERE = {}
