import { use } from 'react'
import { currentClock } from '@/lib/browser/clock'
import { UTC, written } from '@/lib/i18n/moments'

/** A date that may lie ahead; `When` says how long ago something was. */
export function Moment({ at }: { at: string }) {
  const clock = use(currentClock())
  return (
    <time dateTime={at} title={written(at, 'moment', { ...clock, zone: UTC })}>
      {written(at, 'moment', clock)}
    </time>
  )
}

/** In a table whose heading names the time zone. */
export function CellMoment({ at, seconds = false }: { at: string; seconds?: boolean }) {
  const clock = use(currentClock())
  const isUtc = clock.zone === UTC
  return (
    <time
      dateTime={at}
      title={isUtc ? undefined : written(at, 'moment', { ...clock, zone: UTC })}
      className="md:whitespace-nowrap"
    >
      {written(at, seconds ? 'cellWithSeconds' : 'cell', clock)}
    </time>
  )
}
