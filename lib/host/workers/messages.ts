import type { Readings } from '../../base/metrics'

/**
 * What the primary and its workers say to each other. After an upgrade the primary is still the
 * older version, so words are added here but never change their meaning.
 */

export type ToWorker =
  /** Everything is prepared: begin to accept connections. */
  | { tell: 'listen' }
  /** Do the scheduled work; one worker at a time is told so. */
  | { tell: 'work' }
  /** Others accept connections now: finish, without losing a request. */
  | { tell: 'retire' }
  /** The portal stops. */
  | { tell: 'stop' }
  /** Send what was counted. */
  | { tell: 'read' }
  /** What all workers have counted: the answer to `gather`. */
  | { tell: 'gathered'; id: number; readings: Readings[] }

export type ToPrimary =
  | { tell: 'ready' }
  | { tell: 'listening' }
  | { tell: 'readings'; readings: Readings }
  | { tell: 'gather'; id: number }

/**
 * `first` makes the portal ready as a single process does. `successor` is the first of a new
 * version: it does what an upgrade needs. `further` joins others.
 */
const ROLES = ['first', 'successor', 'further'] as const
export type Role = (typeof ROLES)[number]

const ROLE_ARGUMENT = '--worker='

export function roleArgument(role: Role): string {
  return `${ROLE_ARGUMENT}${role}`
}

export function roleIn(args: readonly string[]): Role {
  return ROLES.find((role) => args.includes(roleArgument(role))) ?? 'further'
}

/** Other programs may use the same channel, for example to measure a process. */
export function isMessage(heard: unknown): heard is { tell: string } {
  return typeof heard === 'object' && heard !== null && 'tell' in heard
}
