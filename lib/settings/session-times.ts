import type { Settings } from './effective'

const MINUTE_MS = 60_000

/** How long a session lives without use, and at most. */
export type SessionTimes = { idleMs: number; longestMs: number }

export function sessionTimes({ security }: Pick<Settings, 'security'>): SessionTimes {
  const { sessionIdleMinutes, sessionHours } = security
  return { idleMs: sessionIdleMinutes * MINUTE_MS, longestMs: sessionHours * 60 * MINUTE_MS }
}
