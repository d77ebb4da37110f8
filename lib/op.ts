import { portalApi } from './access/portal-api'
import { replayRefreshToken } from './accounts/replayed-token'
import {
  type Held,
  heldSessions,
  isSecure,
  NOBODY,
  openSession,
  sessionCookieName,
} from './accounts/session-cookie'
import { failpoint } from './base/failpoint'
import type { Incoming } from './base/http'
import { createLog, type Log } from './base/log'
import { createMetrics, type Metrics } from './base/metrics'
import { deriveKey, newDatedId, secretHasher } from './crypto/secrets'
import { tellApplications } from './delivery/logout'
import { remoteKeys } from './delivery/remote-keys'
import { tellWebhooks } from './delivery/webhooks/enqueue'
import { type KeyRing, keyRing } from './keys/key-ring'
import { guessLimit } from './limits/guesses'
import { neighbourhoodOf, networkOf } from './limits/network'
import { BURST_SECONDS, rateLimit } from './limits/rate'
import { sharedCounts } from './limits/shared-counts'
import { readCookie } from './oidc/cookies'
import { errorPage } from './oidc/error-page'
import type { AuditEvent, Op as ProtocolOp, Snapshot } from './oidc/provider'
import { type Config, config } from './settings/config'
import { type CurrentSettings, currentSettings } from './settings/current'
import { sessionTimes } from './settings/session-times'
import { type Activity, activityStore } from './store/activity'
import { appendAudit } from './store/audit'
import { auditBatch } from './store/audit-batch'
import { readClock } from './store/clock'
import { codeStore } from './store/codes'
import { consentStore } from './store/consents'
import { type CounterStore, counterStore } from './store/counters'
import {
  type Database,
  laneOf,
  openDatabase,
  type Provider,
  providerOf,
  type Transaction,
} from './store/database'
import { type Demo, demoLeft, hasForeignData, knowsDemo } from './store/demo'
import { freshSnapshot } from './store/fresh-snapshot'
import { type IdempotencyStore, idempotencyStore } from './store/idempotency'
import { interactionStore } from './store/interactions'
import { lastUses } from './store/last-use'
import { type LinkStore, linkStore } from './store/links'
import { type MigrationStatus, migrationStatus, refuseNewerSchema } from './store/migration-status'
import { inTransaction, snapshotWithin } from './store/one-transaction'
import { type OutboxStore, outboxStore } from './store/outbox'
import { type PasskeyStore, passkeyStore } from './store/passkeys'
import { peopleStore } from './store/people'
import { bumpPolicyVersion, readPolicyVersion, type Touched } from './store/policy-version'
import { refreshTokenStore } from './store/refresh-tokens'
import {
  endSession,
  type LeavingSession,
  type Session,
  type SessionStore,
  sessionStore,
} from './store/sessions'
import { hasSetting, type SettingKey } from './store/settings'
import { signingKeyStore } from './store/signing-keys'
import { tokenGrantStore } from './store/token-grants'
import { type TotpStore, totpStore } from './store/totp'
import { isUnavailable, reaching } from './store/unavailable'
import { assertionStore, revokedTokenStore } from './store/used-ids'
import { type UserStore, userStore } from './store/users'
import { type Discover, discovery } from './upstream/discovery'

/** The composition root: the one place where protocol, decision, store and clock meet. */
export type Op = Omit<ProtocolOp, 'sessionOf' | 'otherSessionsOf'> & {
  sessionOf(incoming: Pick<Incoming, 'headers'>): Promise<Session | null>
  otherSessionsOf(incoming: Pick<Incoming, 'headers'>): Promise<HeldSession[]>
  /** The secrets that a browser holds, whether they are still good or not. */
  heldBy(incoming: Pick<Incoming, 'headers'>): Promise<Held>
  /** Of somebody whose account waits for its deletion. */
  leavingSessionOf(incoming: Pick<Incoming, 'headers'>): Promise<LeavingSession | null>
  config: Config
  log: Log
  /** Not a second old: the very latest, at the price of a query. */
  latestSnapshot(): Promise<Snapshot>
  meter: Metrics
  users: UserStore
  settings: CurrentSettings & { has(key: SettingKey): Promise<boolean> }
  settingsKey: Buffer
  demo: {
    isLoaded(): Promise<boolean>
    hasForeignData(): Promise<boolean>
    knows(demo: Demo): Promise<boolean>
    /** The ids of its users and applications that can still be used. */
    left(): Promise<string[]>
  }
  health: {
    ping(): Promise<void>
    migrations(): Promise<MigrationStatus>
    /** What time it is to the database. */
    clock(): Promise<Date>
  }
  /** How busy it was on the last days, the oldest first. */
  activity: Activity
  sessions: SessionStore
  links: LinkStore
  counters: CounterStore
  totps: TotpStore
  passkeys: PasskeyStore
  factorKey: Buffer
  challengeKey: Buffer
  cookieKey: Buffer
  /** Where an upstream provider answers. */
  discover: Discover
  upstreamKey: Buffer
  nextAuthKey: Buffer
  testLoginKey: Buffer
  keys: KeyRing
  outbox: OutboxStore
  outboxKey: Buffer
  webhookKey: Buffer
  idempotency: IdempotencyStore
  idempotencyKey: Buffer
  cursorKey: Buffer
  provider: Provider
  /** Reads that no store of the protocol offers. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
  /** One transaction; what it audits is written in it. */
  write<T>(work: (tx: Transaction, audit: Audit) => Promise<T>): Promise<T>
  /** A `write` that can change a decision: bumps the policy version, seen here at once. */
  changePolicy<T>(
    work: (tx: Transaction, audit: Audit) => Promise<T>,
    touched?: readonly Touched[],
  ): Promise<T>
  /** Everything that `work` does with the house it is given happens, or none of it. */
  inOneTransaction<T>(work: (inside: Op) => Promise<T>): Promise<T>
  /** What waits to be written in batches has been. */
  settled(): Promise<void>
  close(): Promise<void>
}

export type Audit = (event: AuditEvent) => void

/** A session and the secret that its browser holds it by. */
export type HeldSession = Session & { secret: string }

const GUESSES_PER_SECRET = 20

/** Everything, and the database itself: for tests and for nobody else. */
export async function createOp(
  settings: Config,
  now: () => Date = () => new Date(),
  using?: Database,
): Promise<Op & { db: Database }> {
  const hashSecret = secretHasher(deriveKey(settings.secret, 'pepper'))
  const log = createLog(settings.logLevel, !settings.frozen)
  const db = using ?? (await openDatabase(settings.databaseUrl))
  await refuseNewerSchema(db, settings.databaseUrl).catch(async (error) => {
    await db.$disconnect()
    throw error
  })
  const snapshot = freshSnapshot(db, portalApi(settings.origin))
  const settingsKey = deriveKey(settings.secret, 'settings')
  const current = currentSettings(settings, settingsKey, snapshot)
  const lane = laneOf(db)
  const batch = auditBatch(lane, (error) => log.error({ err: error }, 'audit entries wait'))
  const uses = lastUses(lane, (error) => log.error({ err: error }, 'last uses wait'))
  const sessions = sessionStore(db)
  const outbox = outboxStore(db)
  const counters = counterStore(db)
  const totps = totpStore(db)
  const passkeys = passkeyStore(db)
  const outboxKey = deriveKey(settings.secret, 'outbox')
  const cookieSettings = {
    origin: settings.origin,
    cookieKey: deriveKey(settings.secret, 'cookie'),
  }
  const keys = keyRing(signingKeyStore(db), deriveKey(settings.secret, 'key encryption'), now)

  type Work<T> = (tx: Transaction, audit: Audit) => Promise<T>

  async function audited<T>(tx: Transaction, work: Work<T>): Promise<T> {
    const events: AuditEvent[] = []
    const result = await work(tx, (event) => events.push(event))
    const dated = events.map((event) => ({ ...event, at: now() }))
    await tellWebhooks(tx, outboxKey, await appendAudit(tx, dated))
    return result
  }

  function write<T>(work: Work<T>): Promise<T> {
    return db.$transaction((tx) => audited(tx, work))
  }

  async function inOneTransaction<T>(work: (inside: Op) => Promise<T>): Promise<T> {
    const done = await inTransaction(db, (tx, within) => {
      const snapshots = snapshotWithin(within, portalApi(settings.origin))
      return work({
        ...house,
        users: userStore(within),
        snapshot: snapshots.get,
        latestSnapshot: snapshots.get,
        read: (look) => look(within),
        write: (change) => audited(tx, change),
        async changePolicy(change, touched) {
          const result = await audited(tx, change)
          await bumpPolicyVersion(tx, touched)
          snapshots.changed()
          return result
        },
      })
    })
    snapshot.invalidate()
    return done
  }

  /** Decrypted once for each request, however often it is asked. */
  const opened = new WeakMap<Incoming['headers'], Promise<Held>>()

  function heldBy(incoming: Pick<Incoming, 'headers'>): Promise<Held> {
    const known = opened.get(incoming.headers)
    if (known) return known
    const cookie = readCookie(incoming, sessionCookieName(cookieSettings))
    const held = cookie ? openSession(cookieSettings, cookie) : Promise.resolve(NOBODY)
    opened.set(incoming.headers, held)
    return held
  }

  async function findHeld(secret: string): Promise<HeldSession | null> {
    const session = await sessions.find(
      hashSecret(secret),
      now(),
      sessionTimes(await current.current()),
    )
    return session && { ...session, secret }
  }

  async function withoutEnded(incoming: Pick<Incoming, 'headers'>): Promise<Held> {
    const { active, others } = await heldBy(incoming)
    const open = await Promise.all([active, ...others].map((one) => one && findHeld(one)))
    return {
      active: open[0] ? active : null,
      others: others.filter((_secret, index) => open[index + 1]),
    }
  }

  async function changePolicy<T>(
    work: (tx: Transaction, audit: Audit) => Promise<T>,
    touched?: readonly Touched[],
  ): Promise<T> {
    const result = await write(async (tx, audit) => {
      const done = await work(tx, audit)
      await bumpPolicyVersion(tx, touched)
      return done
    })
    snapshot.invalidate()
    return result
  }

  const house: Op & { db: Database } = {
    config: settings,
    issuer: settings.issuer,
    origin: settings.origin,
    log,
    meter: createMetrics(),
    db,
    users: userStore(db),
    settings: { ...current, has: (key) => hasSetting(db, key) },
    settingsKey,
    demo: {
      isLoaded: () => hasSetting(db, 'demo_loaded'),
      hasForeignData: () => hasForeignData(db),
      knows: (demo) => knowsDemo(db, hashSecret, demo),
      left: () => demoLeft(db),
    },
    health: {
      ping: async () => {
        await reaching(readPolicyVersion(db))
      },
      migrations: () => reaching(migrationStatus(db, settings.databaseUrl)),
      clock: () => reaching(readClock(db, providerOf(settings.databaseUrl))),
    },
    activity: activityStore(db, providerOf(settings.databaseUrl), now),
    sessions,
    links: linkStore(db),
    counters,
    totps,
    passkeys,
    factorKey: deriveKey(settings.secret, 'factor'),
    challengeKey: deriveKey(settings.secret, 'challenge'),
    async strongestFactor(userId) {
      if (await passkeys.any(userId)) return 'phr'
      return (await totps.anyConfirmed(userId)) ? 'mfa' : null
    },
    cookieKey: cookieSettings.cookieKey,
    discover: discovery(settings.outboundHosts, now),
    upstreamKey: deriveKey(settings.secret, 'upstream'),
    nextAuthKey: deriveKey(settings.secret, 'next-auth'),
    testLoginKey: deriveKey(settings.secret, 'test login'),
    hashSecret,
    now,
    newTokenId: () => newDatedId('dec'),
    snapshot: snapshot.get,
    latestSnapshot: snapshot.latest,
    keys,
    outbox,
    outboxKey,
    webhookKey: deriveKey(settings.secret, 'webhook'),
    idempotency: idempotencyStore(db),
    idempotencyKey: deriveKey(settings.secret, 'idempotency'),
    cursorKey: deriveKey(settings.secret, 'cursor'),
    provider: providerOf(settings.databaseUrl),
    read: (work) => work(db),
    signingKey: keys.signingKey,
    publishedKeys: keys.publishedKeys,
    record: (event) => batch.add({ ...event, at: now() }),
    noteUse: (use) => uses.note({ ...use, at: now() }),
    isUnavailable,
    report: (error, requestId) => log.error({ requestId, err: error }, 'fault'),
    errorPage: (incoming, error) => errorPage(incoming, error, current.known().languages),
    heldBy,
    async sessionOf(incoming) {
      const { active } = await heldBy(incoming)
      if (active === null) return null
      const times = sessionTimes(await current.current())
      const session = await sessions.find(hashSecret(active), now(), times)
      if (!session) return null
      // The idle limit moves with every request that is somebody's.
      await sessions.touch(session, now(), new Date(now().getTime() + times.idleMs))
      return session
    },
    async otherSessionsOf(incoming) {
      const { others } = await heldBy(incoming)
      const found = await Promise.all(others.map(findHeld))
      return found.filter((session) => session !== null)
    },
    async leavingSessionOf(incoming) {
      const { active } = await heldBy(incoming)
      if (active === null) return null
      const times = sessionTimes(await current.current())
      return sessions.findLeaving(hashSecret(active), now(), times)
    },
    endSession: async (session, { ip, headers }) => {
      await write(async (tx, audit) => {
        if (!(await endSession(tx, session.id, now()))) return
        failpoint('logout:ended')
        await tellApplications({ now, outboxKey }, tx, session.user.id, [session.id])
        failpoint('logout:told')
        audit(signedOut(session.user.id, ip))
      })
      failpoint('logout:committed')
      const { longestMs } = sessionTimes(await current.current())
      return heldSessions(cookieSettings, await withoutEnded({ headers }), longestMs / 1000)
    },
    cookies: { secure: isSecure(settings.origin) },
    interactions: interactionStore(db),
    consents: consentStore(db),
    codes: codeStore(db),
    tokenGrants: tokenGrantStore(db, write),
    refreshTokens: {
      ...refreshTokenStore(db),
      replay: (replay) => replayRefreshToken(house, replay),
    },
    revokedTokens: revokedTokenStore(db),
    assertions: assertionStore(db),
    people: peopleStore(db, settings.origin),
    remoteKeys: remoteKeys(settings.outboundHosts),
    limits: {
      secretGuesses: guessLimit(counters, 'secret', GUESSES_PER_SECRET, now),
      tokenRequests: rateLimit(
        () => current.known().security.clientRequestsPerMinute,
        sharedCounts(counters, 'token', BURST_SECONDS * 1000, now),
      ),
      networkOf,
      neighbourhoodOf,
    },
    refreshReplayMs: settings.refreshReplaySeconds * 1000,
    write,
    changePolicy,
    inOneTransaction,
    async settled() {
      await batch.settled()
      await uses.flush(false)
    },
    async close() {
      await batch.flush()
      await uses.flush()
      await db.$disconnect()
      log.flush()
    },
  }
  return house
}

function signedOut(userId: string, ip: string | null): AuditEvent {
  return { event: 'logout', result: 'success', actorKind: 'user', actorId: userId, ip, detail: {} }
}

const SHARED = Symbol.for('gatehouse.op')
const shared = globalThis as { [SHARED]?: Promise<Op> }

/** One per process: the Node host and Next's bundles are separate copies of this module. */
export function op(using?: Database): Promise<Op> {
  shared[SHARED] ??= createOp(config(), undefined, using).catch(forget)
  return shared[SHARED]
}

export function isOpen(): boolean {
  return shared[SHARED] !== undefined
}

/** A database that was away at the first request is not held against those that follow. */
function forget(error: unknown): never {
  delete shared[SHARED]
  throw error
}
