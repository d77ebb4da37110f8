import { currentLocale } from '@/lib/locale'

/** A date that may lie ahead; `When` says how long ago something was. */
export async function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{await momentText(at)}</time>
}

export async function momentText(at: string): Promise<string> {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(await currentLocale(), format).format(new Date(at))} UTC`
}
