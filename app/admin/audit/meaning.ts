import { EVENT_NAMES } from '@/lib/base/events'
import type { Messages } from '@/lib/i18n'

/** An entry may be older than the table: an event that is gone has no sentence any more. */
export function meaningOf(event: string, events: Messages['events']): string {
  const name = EVENT_NAMES.find((known) => known === event)
  return name ? events[name] : ''
}
