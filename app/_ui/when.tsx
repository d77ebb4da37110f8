import { use } from 'react'
import { currentLocale } from '@/lib/browser/locale'
import { dateFormat } from '@/lib/i18n/formats'
import { timeAgo } from '@/lib/i18n/time-ago'

/** How long ago; the moment itself for those who point at it or, in `full`, for everybody. */
export function When({ at, full = false }: { at: Date | string; full?: boolean }) {
  const date = new Date(at)
  const locale = use(currentLocale())
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  const moment = `${dateFormat(locale, format).format(date)} UTC`
  const ago = timeAgo(date, new Date(), locale)
  return (
    <time dateTime={date.toISOString()} title={moment}>
      {full ? `${ago} · ${moment}` : ago}
    </time>
  )
}
