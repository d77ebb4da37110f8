import { failpoint } from '../base/failpoint'
import type { Incoming } from '../base/http'
import type { BrowserSessions, HeldSecrets, HeldSession, Op } from '../context/op'
import { hasPrefix } from '../crypto/secrets'
import { announceLogout } from '../delivery/logout'
import type { AuditEvent } from '../oidc/audit-event'
import { readCookie } from '../oidc/cookies'
import { sessionTimes } from '../settings/session-times'
import { endSession, type Session } from '../store/accounts/sessions'
import { heldSessions, NOBODY, openSession, sessionCookieName } from './session-cookie'

type Needed = Pick<
  Op,
  | 'cookieKey'
  | 'hashSecret'
  | 'impersonations'
  | 'now'
  | 'origin'
  | 'outboxKey'
  | 'sessions'
  | 'settings'
  | 'write'
>
type Browser = Pick<Incoming, 'headers'>

/** Which sessions does a browser hold? Its cookie has their secrets, the store their state. */
export function browserSessions(op: Needed): BrowserSessions {
  const heldBy = oncePerRequest((browser) => openCookie(op, browser))
  return {
    heldBy,
    async sessionOf(browser) {
      const { active } = await heldBy(browser)
      return active === null ? null : resumeSession(op, active)
    },
    async otherSessionsOf(browser) {
      const { active, others } = await heldBy(browser)
      // Whoever is in the account of somebody else has no other account meanwhile, not even theirs.
      if (active !== null && isImpersonation(active) && (await impersonated(op, active))) return []
      const found = await Promise.all(others.map((secret) => findHeld(op, secret)))
      return found.filter((session) => session !== null)
    },
    async leavingSessionOf(browser) {
      const { active } = await heldBy(browser)
      if (active === null) return null
      return op.sessions.findLeaving(op.hashSecret(active), op.now(), await timesOf(op))
    },
    async endSession(session, { ip, headers }) {
      await end(op, session, ip)
      const { longestMs } = await timesOf(op)
      const left = await withoutEnded(op, await heldBy({ headers }))
      return heldSessions(op, left, longestMs / 1000)
    },
  }
}

/** Decrypted once per request, however often it is asked for. */
function oncePerRequest(open: (browser: Browser) => Promise<HeldSecrets>) {
  const opened = new WeakMap<Incoming['headers'], Promise<HeldSecrets>>()
  return (browser: Browser): Promise<HeldSecrets> => {
    const known = opened.get(browser.headers)
    if (known) return known
    const held = open(browser)
    opened.set(browser.headers, held)
    return held
  }
}

async function openCookie(op: Needed, browser: Browser): Promise<HeldSecrets> {
  const cookie = readCookie(browser, sessionCookieName(op))
  return cookie ? openSession(op, cookie) : NOBODY
}

async function timesOf({ settings }: Needed) {
  return sessionTimes(await settings.current())
}

/** Every request of a signed-in user extends the idle limit. */
async function resumeSession(op: Needed, secret: string): Promise<Session | null> {
  if (isImpersonation(secret)) return impersonated(op, secret)
  const times = await timesOf(op)
  const session = await op.sessions.find(op.hashSecret(secret), op.now(), times)
  if (!session) return null
  await op.sessions.touch(session, op.now(), new Date(op.now().getTime() + times.idleMs))
  return session
}

export function isImpersonation(secret: string): boolean {
  return hasPrefix(secret, 'ghim')
}

/** The admin is at work here: their own session stays open, and nothing of the user is touched. */
async function impersonated(op: Needed, secret: string): Promise<Session | null> {
  const times = await timesOf(op)
  const session = await op.impersonations.find(op.hashSecret(secret), op.now(), times)
  if (!session) return null
  const idleExpiresAt = new Date(op.now().getTime() + times.idleMs)
  await op.sessions.touch(session.impersonation.through, op.now(), idleExpiresAt)
  return session
}

async function findHeld(op: Needed, secret: string): Promise<HeldSession | null> {
  const session = await op.sessions.find(op.hashSecret(secret), op.now(), await timesOf(op))
  return session && { ...session, secret }
}

async function withoutEnded(op: Needed, { active, others }: HeldSecrets): Promise<HeldSecrets> {
  const open = await Promise.all([active, ...others].map((one) => one && findHeld(op, one)))
  return {
    active: open[0] ? active : null,
    others: others.filter((_secret, index) => open[index + 1]),
  }
}

async function end(
  op: Needed,
  { id, user }: { id: string; user: { id: string } },
  ip: string | null,
): Promise<void> {
  await op.write(async (tx, audit) => {
    if (!(await endSession(tx, id, op.now()))) return
    failpoint('logout:ended')
    await announceLogout(op, tx, user.id, [id])
    failpoint('logout:told')
    audit(signedOut(user.id, ip))
  })
  failpoint('logout:committed')
}

function signedOut(userId: string, ip: string | null): AuditEvent {
  return { event: 'logout', result: 'success', actorKind: 'user', actorId: userId, ip, detail: {} }
}
