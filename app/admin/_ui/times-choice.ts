import type { Choices } from '@/app/_ui/preferences'
import { choosesUtc } from '@/lib/browser/clock'
import { currentMessages, currentPath } from '@/lib/browser/locale'
import { TIMES } from '@/lib/browser/zone-cookies'

/** Whether times are in the time zone of the reader or in UTC, as in logs and exports. */
export async function timesChoice(): Promise<Choices> {
  const { times, timesTexts } = (await currentMessages()).admin
  return {
    name: 'times',
    legend: times,
    chosen: (await choosesUtc()) ? 'utc' : 'own',
    options: TIMES.map((value) => [value, timesTexts[value]]),
    returnTo: await currentPath(),
  }
}
