'use client'

import { useEffect, useSyncExternalStore } from 'react'

/** Tells the action whether script is running here; see lib/browser/redirect-after-action.ts. */
export function Scripted() {
  return <input type="hidden" name="scripted" value={useScripted() ? 'yes' : 'no'} />
}

/** Goes where the action said. */
export function useRedirect(state: { goTo?: string }): void {
  useEffect(() => {
    if (state.goTo) window.location.assign(state.goTo)
  }, [state])
}

const never = () => () => {}

/** False until the page's script has arrived: what needs it cannot be pressed before. */
export function useScripted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
