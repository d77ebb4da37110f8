import { sha256 } from '../../crypto/secrets'

/** The possible findings of the health checks: the subject and the severity of each. */
export const FINDINGS = {
  issuer_https: ['issuer', 'ok'],
  issuer_http: ['issuer', 'warn'],
  issuer_other_host: ['issuer', 'warn'],
  cookies_secure: ['cookies', 'ok'],
  cookies_plain: ['cookies', 'warn'],
  callers_known: ['callers', 'ok'],
  callers_unknown: ['callers', 'warn'],
  callers_behind_proxy: ['callers', 'warn'],
  database_quick: ['database', 'ok'],
  database_slow: ['database', 'warn'],
  file_slow: ['database', 'warn'],
  database_away: ['database', 'fail'],
  clock_right: ['clock', 'ok'],
  clock_off: ['clock', 'fail'],
  clock_unknown: ['clock', 'fail'],
  migrations_done: ['migrations', 'ok'],
  migrations_pending: ['migrations', 'fail'],
  migrations_newer: ['migrations', 'fail'],
  migrations_unknown: ['migrations', 'fail'],
  mail_smtp: ['mail', 'ok'],
  mail_printed: ['mail', 'warn'],
  mail_off: ['mail', 'warn'],
  mail_sign_in_off: ['mail', 'warn'],
  outbox_empty: ['outbox', 'ok'],
  outbox_waits: ['outbox', 'warn'],
  outbox_failed: ['outbox', 'warn'],
  keys_young: ['keys', 'ok'],
  keys_old: ['keys', 'warn'],
  keys_none: ['keys', 'fail'],
  applications_weakened: ['applications', 'warn'],
  requests_decided: ['requests', 'ok'],
  requests_undecided: ['requests', 'warn'],
  emergencies_unreviewed: ['requests', 'warn'],
  demo_left: ['demo', 'warn'],
} as const satisfies Record<string, readonly [string, 'ok' | 'warn' | 'fail']>

export type FindingCode = keyof typeof FINDINGS

/** Normal as long as the portal serves only its own machine. */
export const EXPECTED: ReadonlySet<FindingCode> = new Set([
  'issuer_http',
  'cookies_plain',
  'mail_printed',
])

/** What is measured anew each time, and says nothing new. */
const MEASURED: ReadonlySet<string> = new Set(['ms', 'seconds', 'days'])

/**
 * What a warning is put away by: one that later names something else is shown again. No value can be
 * read from it.
 */
export function keyOf({ code, values }: { code: FindingCode; values: Record<string, string> }) {
  const told = Object.entries(values).filter(([name]) => !MEASURED.has(name))
  return told.length === 0 ? code : `${code}.${sha256(JSON.stringify(told)).slice(0, 8)}`
}
