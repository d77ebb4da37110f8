import { currentLocale } from '@/lib/browser/locale'

/** A date that may lie ahead; `When` says how long ago something was. */
export async function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{await momentText(at)}</time>
}

/** In a table whose heading says that it is UTC. */
export async function CellMoment({ at, seconds = false }: { at: string; seconds?: boolean }) {
  const text = await written(at, seconds ? 'medium' : 'short')
  return (
    <time dateTime={at} className="md:whitespace-nowrap">
      {text}
    </time>
  )
}

export async function momentText(at: string): Promise<string> {
  return `${await written(at, 'short')} UTC`
}

async function written(at: string, timeStyle: 'short' | 'medium'): Promise<string> {
  const format = { dateStyle: 'medium', timeStyle, timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(await currentLocale(), format).format(new Date(at))
}
