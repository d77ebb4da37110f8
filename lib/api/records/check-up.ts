import type { Incoming } from '../../base/http'
import { DAY_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { mailMode } from '../../delivery/mail/mode'
import type { Messages } from '../../i18n'
import type { NamesOf, Values } from '../../i18n/text'
import { ROTATE_AFTER_MS, STAGE_MS } from '../../keys/key-ring'
import { isLoopback, isPublicPlace } from '../../settings/config'
import { weakenedNames } from '../../store/applications/applications'
import { findUnsoundRules } from '../requests/check-rule'
import type { FindingCode } from './findings'

/** Health checks. Each finding is a code with values; its texts are in lib/i18n. */

export type Finding = { code: FindingCode; values: Record<string, string> }

const SLOW_MS = 250
const CLOCK_OFF_MS = 5_000
const OUTBOX_WAITS_MS = 5 * 60 * 1000
const FAILED_WITHIN_MS = 7 * 24 * 60 * 60 * 1000

type Asking = Pick<Incoming, 'headers' | 'ip' | 'claimed'>

export async function checkUp(op: Op, { headers, ...caller }: Asking): Promise<Finding[]> {
  return [
    issuer(op, headers.get('host')),
    cookies(op),
    callers(caller),
    ...(await database(op)),
    await migrations(op),
    ...mail(op),
    await outbox(op),
    await keys(op),
    ...(await weakenedApplications(op)),
    ...(await requestRules(op)),
    ...(await demo(op)),
  ]
}

type Words = Messages['admin']['health']
type TextsOf<Code> = Code extends FindingCode ? Words[Code][keyof Words[Code]] & string : never
type ValuesOf<Code> = [NamesOf<TextsOf<Code>>] extends [never] ? [] : [Values<TextsOf<Code>>]

/** The values that the texts of a finding need. A code without texts does not compile. */
function finding<Code extends FindingCode>(code: Code, ...[values]: ValuesOf<Code>): Finding {
  return { code, values: values ?? {} }
}

/**
 * Cookies and passkeys belong to the host name of the issuer: at another address nobody can sign
 * in.
 */
function issuer({ issuer, origin }: Op, host: string | null): Finding {
  const url = new URL(origin)
  if (host !== null && host.toLowerCase() !== url.host) {
    return finding('issuer_other_host', { issuer, host })
  }
  return finding(url.protocol === 'https:' ? 'issuer_https' : 'issuer_http', { issuer })
}

function callers({ ip, claimed }: Omit<Asking, 'headers'>): Finding {
  if (ip === null) return finding('callers_unknown')
  return finding(claimed === undefined ? 'callers_known' : 'callers_behind_proxy')
}

function cookies({ cookies, origin }: Op): Finding {
  if (cookies.secure) return finding('cookies_secure')
  const local = isLoopback(new URL(origin))
  return finding('cookies_plain', { where: local ? 'localhost' : origin })
}

async function database(op: Op): Promise<Finding[]> {
  const asked = performance.now()
  const theirs = await op.health.clock().catch(() => null)
  if (!theirs) return [finding('database_away'), finding('clock_unknown')]
  const tookMs = performance.now() - asked
  // The other clock was read about half way through the request.
  const offMs = Math.abs(op.now().getTime() - tookMs / 2 - theirs.getTime())
  return [
    answered(op.databaseKind, tookMs),
    finding(offMs < CLOCK_OFF_MS ? 'clock_right' : 'clock_off', {
      seconds: (offMs / 1000).toFixed(1),
    }),
  ]
}

/** SQLite is a file: there is no database that could run somewhere else. */
export function answered(kind: Op['databaseKind'], tookMs: number): Finding {
  const isFile = kind === 'sqlite'
  const values = { kind: isFile ? 'SQLite' : 'PostgreSQL', ms: tookMs.toFixed(1) }
  if (tookMs < SLOW_MS) return finding('database_quick', values)
  return isFile ? finding('file_slow', values) : finding('database_slow', values)
}

async function migrations(op: Op): Promise<Finding> {
  const status = await op.health.migrations().catch(() => null)
  if (!status) return finding('migrations_unknown')
  const { applied, pending, unknown } = status
  if (unknown.length > 0) return finding('migrations_newer', { names: unknown.join(', ') })
  if (pending.length > 0) return finding('migrations_pending', { names: pending.join(', ') })
  return finding('migrations_done', { count: String(applied.length) })
}

function mail(op: Op): Finding[] {
  const codes = { smtp: 'mail_smtp', printed: 'mail_printed', off: 'mail_off' } as const
  const mode = mailMode(op)
  const isMissed = mode === 'off' && op.settings.known().security.mailSignIn
  return [finding(codes[mode]), ...(isMissed ? [finding('mail_sign_in_off')] : [])]
}

async function outbox(op: Op): Promise<Finding> {
  const now = op.now().getTime()
  const dueBefore = new Date(now - OUTBOX_WAITS_MS)
  const failedSince = new Date(now - FAILED_WITHIN_MS)
  const { waiting, failed } = await op.outbox.backlog(dueBefore, failedSince)
  if (waiting > 0) return finding('outbox_waits', { count: String(waiting) })
  if (failed > 0) return finding('outbox_failed', { count: String(failed) })
  return finding('outbox_empty')
}

async function keys(op: Op): Promise<Finding> {
  const active = (await op.keys.list()).filter(({ state }) => state === 'active')
  const oldest = Math.min(...active.map(({ activatesAt }) => activatesAt.getTime()))
  if (active.length === 0) return finding('keys_none')
  const ageMs = op.now().getTime() - oldest
  const values = { days: String(Math.floor(ageMs / DAY_MS)) }
  return finding(ageMs > ROTATE_AFTER_MS + STAGE_MS + DAY_MS ? 'keys_old' : 'keys_young', values)
}

const MAX_NAMED = 5

function someOf(names: readonly string[]): { names: string } {
  const more = names.length > MAX_NAMED ? ', …' : ''
  return { names: names.slice(0, MAX_NAMED).join(', ') + more }
}

async function weakenedApplications(op: Op): Promise<Finding[]> {
  const names = await op.read((db) => weakenedNames(db, MAX_NAMED + 1))
  if (names.length === 0) return []
  return [finding('applications_weakened', someOf(names))]
}

/** A rule was sound when it was saved; since then, people and roles may have gone. */
async function requestRules(op: Op): Promise<Finding[]> {
  const { total, seen, undecided, unreviewed } = await findUnsoundRules(op)
  const found = [
    ...(undecided.length > 0 ? [finding('requests_undecided', someOf(undecided))] : []),
    ...(unreviewed.length > 0 ? [finding('emergencies_unreviewed', someOf(unreviewed))] : []),
  ]
  if (total === 0 || found.length > 0) return found
  return [finding('requests_decided', { count: String(seen), total: String(total) })]
}

/** Sample data is reported only where it does not belong; in development it was asked for. */
async function demo(op: Op): Promise<Finding[]> {
  const left = await misplacedDemo(op)
  return left.length > 0 ? [finding('demo_left', { names: left.join(', ') })] : []
}

/** Whether sample data is still there although it no longer belongs there. */
export async function misplacedDemo({ config, demo }: Pick<Op, 'config' | 'demo'>) {
  return isPublicPlace(config) ? demo.left() : []
}
