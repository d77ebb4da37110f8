import { dateFormat } from './formats'
import type { Locale } from './locales'

/** How dates and times are written: the only place that does it. */

export type Clock = { locale: Locale; zone: string }

export const UTC = 'UTC'

const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const
const FIELD = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const

const STYLES = {
  moment: { ...DATE, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  /** Of a token. */
  second: {
    ...DATE,
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
  /** Beside the name of the zone, such as in the heading of a column. */
  cell: { dateStyle: 'medium', timeStyle: 'short' },
  cellWithSeconds: { dateStyle: 'medium', timeStyle: 'medium' },
  day: { dateStyle: 'medium' },
  longDay: { dateStyle: 'long' },
  monthDay: { month: 'short', day: 'numeric' },
  /** Today. */
  hour: { timeStyle: 'short' },
  hourWithSeconds: { timeStyle: 'medium' },
  letter: { dateStyle: 'long', timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export function written(
  at: Date | string | number,
  style: keyof typeof STYLES,
  { locale, zone }: Clock,
): string {
  return dateFormat(locale, { ...STYLES[style], timeZone: zone }).format(new Date(at))
}

const LONGEST_NAME = 64

/** A name of the IANA database (OpenID Connect Core §5.1). */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > LONGEST_NAME) return false
  try {
    dateFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The first that is one. */
export function zoneAmong(...names: readonly unknown[]): string {
  return names.find(isTimeZone) ?? UTC
}

/** What the field of a browser for date and time shows, which has no zone of its own. */
export function toField(at: Date | string | number, zone: string): string {
  const format = dateFormat('sv', { year: 'numeric', ...FIELD, timeZone: zone })
  return format.format(new Date(at)).replace(' ', 'T')
}

/** What was typed there, as a moment; null if it is none. */
export function fromField(typed: string, zone: string): Date | null {
  const asUtc = Date.parse(`${typed}Z`)
  if (Number.isNaN(asUtc)) return null
  const ahead = (at: number) =>
    Date.parse(`${toField(at, zone)}Z`) - Math.floor(at / 60_000) * 60_000
  // The offset may change between the two: that of the moment itself counts.
  return new Date(asUtc - ahead(asUtc - ahead(asUtc)))
}
