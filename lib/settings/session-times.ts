import { MINUTE_MS } from '../base/time'
import type { Settings } from './effective'

/** How long a session lives without use, and at most. */
type SessionTimes = { idleMs: number; longestMs: number }

export function sessionTimes({ security }: Pick<Settings, 'security'>): SessionTimes {
  const { sessionIdleMinutes, sessionHours } = security
  return { idleMs: sessionIdleMinutes * MINUTE_MS, longestMs: sessionHours * 60 * MINUTE_MS }
}
