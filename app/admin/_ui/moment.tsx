import { currentLocale } from '@/lib/locale'

/** A date that may lie ahead; `When` says how long ago something was. */
export async function Moment({ at, seconds = false }: { at: string; seconds?: boolean }) {
  return <time dateTime={at}>{await momentText(at, seconds ? 'medium' : 'short')}</time>
}

export async function momentText(
  at: string,
  timeStyle: 'short' | 'medium' = 'short',
): Promise<string> {
  const format = { dateStyle: 'medium', timeStyle, timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(await currentLocale(), format).format(new Date(at))} UTC`
}
