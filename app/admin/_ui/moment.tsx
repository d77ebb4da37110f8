import { use } from 'react'
import { currentLocale } from '@/lib/browser/locale'
import type { Locale } from '@/lib/i18n'
import { dateFormat } from '@/lib/i18n/formats'

/** A date that may lie ahead; `When` says how long ago something was. */
export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{inUtc(at, use(currentLocale()))}</time>
}

/** In a table whose heading says that it is UTC. */
export function CellMoment({ at, seconds = false }: { at: string; seconds?: boolean }) {
  return (
    <time dateTime={at} className="md:whitespace-nowrap">
      {written(at, seconds ? 'medium' : 'short', use(currentLocale()))}
    </time>
  )
}

export async function momentText(at: string): Promise<string> {
  return inUtc(at, await currentLocale())
}

function inUtc(at: string, locale: Locale): string {
  return `${written(at, 'short', locale)} UTC`
}

function written(at: string, timeStyle: 'short' | 'medium', locale: Locale): string {
  const format = { dateStyle: 'medium', timeStyle, timeZone: 'UTC' } as const
  return dateFormat(locale, format).format(new Date(at))
}
