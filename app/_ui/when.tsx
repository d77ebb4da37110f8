import { use } from 'react'
import { currentClock } from '@/lib/browser/clock'
import { UTC, written } from '@/lib/i18n/moments'
import { timeAgo } from '@/lib/i18n/time-ago'

/** How long ago; the moment itself for those who point at it or, in `full`, for everybody. */
export function When({ at, full = false }: { at: Date | string; full?: boolean }) {
  const date = new Date(at)
  const clock = use(currentClock())
  const moment = written(date, 'moment', clock)
  const ago = timeAgo(date, new Date(), clock.locale)
  const utc = clock.zone === UTC ? [] : [written(date, 'moment', { ...clock, zone: UTC })]
  return (
    <time
      dateTime={date.toISOString()}
      title={[...(full ? [] : [moment]), ...utc].join(' · ') || undefined}
    >
      {full ? `${ago} · ${moment}` : ago}
    </time>
  )
}
