'use client'

import { useEffect } from 'react'
import { ZONE_COOKIE } from '@/lib/browser/zone-cookies'

/** Says the browser's time zone to the pages that follow; see lib/browser/clock.ts. */
export function Zone() {
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const secure = location.protocol === 'https:' ? ';secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = `${ZONE_COOKIE}=${timeZone};path=/;max-age=31536000;samesite=lax${secure}`
  }, [])
  return null
}
