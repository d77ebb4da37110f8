import { type RefObject, useEffect } from 'react'

/** As in the utility open-when-wide. */
export const WIDE = '(width >= 64rem)'

/** The style sheet shows it where there is room; this tells everybody else that it is open. */
export function useOpenWhenWide(box: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const wide = window.matchMedia(WIDE)
    const follow = () => box.current?.toggleAttribute('open', wide.matches)
    follow()
    wide.addEventListener('change', follow)
    return () => wide.removeEventListener('change', follow)
  }, [box])
}
