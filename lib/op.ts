import type { Acr } from './access/acr'
import { portalApi } from './access/portal-api'
import { browserSessions } from './accounts/browser-sessions'
import { endReplayedGrant } from './accounts/replayed-token'
import { seesApplication } from './accounts/sees-application'
import { isSecure } from './accounts/session-cookie'
import { createLog, type Log } from './base/log'
import { createMetrics } from './base/metrics'
import { HOUR_MS } from './base/time'
import type { Audit, Op, Stores, Transaction, TransactionWork } from './context/op'
import { derivedKeys } from './crypto/derived-keys'
import { deriveKey, type HashSecret, newDatedId, secretHasher } from './crypto/secrets'
import { remoteKeys } from './delivery/remote-keys'
import { appendBatch, transactions, withinTransactions } from './delivery/transactions'
import { keyRing } from './keys/key-ring'
import { fewEachMinute } from './limits/few'
import { guessLimit } from './limits/guesses'
import { neighbourhoodOf, networkOf } from './limits/network'
import { BURST_SECONDS, rateLimit } from './limits/rate'
import { sharedCounts } from './limits/shared-counts'
import type { AuditEvent, CredentialUse } from './oidc/audit-event'
import { errorPage } from './oidc/error-page'
import type { Limits } from './oidc/provider'
import { isUnknownPublisher } from './oidc/unknown-publisher'
import { acceptedClients } from './settings/accepted-clients'
import { type Config, config } from './settings/config'
import { type CurrentSettings, currentSettings } from './settings/current'
import type { Settings } from './settings/effective'
import { attributeKeys } from './settings/model'
import { outboundHostsFor } from './settings/outbound-hosts'
import { placesIn } from './settings/places'
import { impersonationStore } from './store/accounts/impersonations'
import { linkStore } from './store/accounts/links'
import { passkeyStore } from './store/accounts/passkeys'
import { peopleStore } from './store/accounts/people'
import { sessionStore } from './store/accounts/sessions'
import { totpStore } from './store/accounts/totp'
import { userStore } from './store/accounts/users'
import { assumeConsent } from './store/applications/assumed-consents'
import { learnPkce } from './store/applications/pkce'
import { activityStore } from './store/audit/activity'
import type { DatedEvent } from './store/audit/audit'
import { auditBatch } from './store/audit/batch'
import { readClock } from './store/database/clock'
import { type Connection, databaseKindOf } from './store/database/connection'
import { type CounterStore, counterStore } from './store/database/counters'
import {
  addReplica,
  type Database,
  databaseOf,
  openDatabase,
  type Queries,
  sqlOf,
} from './store/database/database'
import { idempotencyStore } from './store/database/idempotency'
import { isUnavailable, reaching } from './store/database/unavailable'
import { outboxStore } from './store/delivery/outbox'
import { hasSetting, type SettingKey } from './store/delivery/settings'
import { demoLeft, hasForeignData, knowsDemo } from './store/operations/demo'
import { migrationStatus, refuseNewerSchema } from './store/operations/migration-status'
import { totalsStore } from './store/operations/totals'
import { freshSnapshot } from './store/policy/fresh-snapshot'
import { type ChangedSubject, readPolicyVersion } from './store/policy/policy-version'
import type { PortalSnapshot } from './store/policy/snapshot'
import { codeStore } from './store/tokens/codes'
import { consentStore } from './store/tokens/consents'
import { deviceStore } from './store/tokens/devices'
import { interactionStore } from './store/tokens/interactions'
import { lastUses } from './store/tokens/last-use'
import { refreshTokenStore } from './store/tokens/refresh-tokens'
import { signingKeyStore } from './store/tokens/signing-keys'
import { tokenGrantStore } from './store/tokens/token-grants'
import { assertionStore, revokedTokenStore } from './store/tokens/used-ids'
import { discovery } from './upstream/discovery'

/** The composition root: the only place that connects protocol, decisions, stores and clock. */

type Now = () => Date
/** What each part is made from. */
type Base = { settings: Config; db: Database; now: Now; log: Log; hashSecret: HashSecret }

/** Everything, including the database itself and its transactions; only for tests. */
export type OpenOp = Omit<Op, keyof OpenTransactions> & OpenTransactions & { db: Database }

type OpenTransactions = {
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
  readReplica<T>(work: (db: Database) => Promise<T>): Promise<T>
  write<T>(work: OpenWork<T>): Promise<T>
  changePolicy<T>(work: OpenWork<T>, touched?: readonly ChangedSubject[]): Promise<T>
}
type OpenWork<T> = (tx: Queries & Transaction, audit: Audit) => Promise<T>

export async function createOp(
  settings: Config,
  now: Now = () => new Date(),
  using?: Connection,
): Promise<OpenOp> {
  const hashSecret = secretHasher(deriveKey(settings.secret, 'pepper'))
  const log = createLog(settings.logLevel, !settings.frozen, settings.workers > 1)
  const db = using
    ? databaseOf(using)
    : await openDatabase(settings.databaseUrl, { workers: settings.workers })
  await refuseNewerSchema(db, settings.databaseUrl).catch(async (error) => {
    await db.$disconnect()
    throw error
  })
  await followReplica(db, settings, log)
  // `Op` hides that its transactions are Prisma's.
  return compose({ settings, db, now, log, hashSecret }) as OpenOp
}

async function shownError(op: Op, ...[incoming, error, about]: Parameters<Op['errorPage']>) {
  const { languages, branding, version } = op.settings.known()
  const { application } = error
  return errorPage(incoming, error, {
    isUnverified:
      application !== undefined && (await isUnknownPublisher(op, application).catch(() => true)),
    about,
    languages,
    name: branding.name,
    ...(branding.accent && { colours: `/branding.css?v=${version}` }),
    isAdmin: await seesApplication(op, incoming, application?.id),
  })
}

/** Lists and reports are read from a replica, if one is set. */
async function followReplica(db: Database, { databaseReplicaUrl }: Config, log: Log) {
  if (databaseReplicaUrl === null) return
  await addReplica(db, databaseReplicaUrl, (state, err) => {
    if (state === 'used') log.info('lists are read from the replica again')
    else log.warn({ err }, `the replica is ${state}: lists are read from the primary`)
  })
}

function compose(base: Base): Op & { db: Database } {
  const { settings, db, now, log } = base
  const secrets = derivedKeys(settings.secret)
  const ownApi = portalApi(settings.origin)
  const kind = databaseKindOf(settings.databaseUrl)
  const snapshot = freshSnapshot({ db, kind, own: ownApi }, settings.cacheBytes)
  const current = currentSettings(settings, secrets.settingsKey, snapshot)
  const accepted = acceptedClients<PortalSnapshot>(current.settingsOf)
  const portalSettings = { ...current, has: (key: SettingKey) => hasSetting(db, key) }
  const changing = {
    ...base,
    ...secrets,
    ownApi,
    databaseKind: kind,
    policyChanged: snapshot.invalidate,
  }
  const changes = transactions(changing)
  const stores = portalStores(base)
  const provider = {
    issuer: settings.issuer,
    origin: settings.origin,
    now,
    hashSecret: base.hashSecret,
  }
  const op: Op & { db: Database } = {
    ...provider,
    ...secrets,
    ...stores,
    ...changes,
    ...batches(base, (batch) => appendBatch(changing, batch)),
    ...protocolStores(base, changes.write),
    ...signing(base),
    ...chosen(current),
    learnPkce: (id, event) => learn(changes, id, event),
    assumeConsent: (assumed, event) => assume(changes, { ...assumed, now: now() }, event),
    ...browserSessions({
      ...provider,
      ...secrets,
      ...stores,
      ...changes,
      settings: portalSettings,
    }),
    config: settings,
    db,
    log,
    meter: createMetrics(snapshot.cached),
    settings: portalSettings,
    snapshot: async (wanted) => accepted(await snapshot.get(wanted)),
    latestSnapshot: async (wanted) => accepted(await snapshot.latest(wanted)),
    isRegisteredOrigin: snapshot.isRegisteredOrigin,
    newTokenId: () => newDatedId('dec'),
    strongestFactor: (userId) => strongestFactor(stores, userId),
    refreshTokens: {
      ...refreshTokenStore(db),
      endReplayed: (replay) => endReplayedGrant(op, replay),
    },
    refreshReplayMs: settings.refreshReplaySeconds * 1000,
    ...withinTransactions(changing, () => op),
    cookies: { secure: isSecure(settings.origin) },
    errorPage: (incoming, error, about) => shownError(op, incoming, error, about),
    isUnavailable,
    report: (error, requestId) => log.error({ requestId, err: error }, 'fault'),
    discover: discovery(settings.outboundHosts, now),
    remoteKeys: keysAtAddresses(settings),
    places: placesIn(settings.geoipFile),
    databaseKind: kind,
    limits: limitsOf(stores.counters, current, now),
  }
  return op
}

function portalStores({ settings: { databaseUrl }, db, now, hashSecret }: Base): Stores {
  const kind = databaseKindOf(databaseUrl)
  const counters = counterStore(db)
  return {
    users: userStore(db),
    sessions: sessionStore(db),
    impersonations: impersonationStore(db),
    links: linkStore(db),
    counters,
    totps: totpStore(db),
    passkeys: passkeyStore(db),
    outbox: outboxStore(db),
    idempotency: idempotencyStore(db),
    activity: activityStore(db, kind, now),
    totals: totalsStore(db, kind),
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
      write: async () => {
        await reaching(counters.hit('readyz', now(), HOUR_MS))
      },
      migrations: () => reaching(migrationStatus(db, databaseUrl)),
      clock: () => reaching(readClock(db, kind)),
    },
  }
}

function protocolStores({ settings: { origin }, db }: Base, write: Op['write']) {
  return {
    interactions: interactionStore(db),
    consents: consentStore(db),
    codes: codeStore(db),
    devices: deviceStore(db),
    tokenGrants: tokenGrantStore(db, write),
    revokedTokens: revokedTokenStore(db),
    assertions: assertionStore(db),
    people: peopleStore(db, origin),
  }
}

/** What admins choose and the protocol asks for. */
function chosen(settings: CurrentSettings) {
  return {
    offers: async () => offersOf(await settings.current()),
    attributeKeys: () => attributeKeys(settings.known()),
    keepsDecisions: () => settings.known().security.decisionDays > 0,
    pkceRules: () => ({ portalRequires: settings.known().security.requirePkce }),
  }
}

function learn({ changePolicy }: Pick<Op, 'changePolicy'>, id: string, event: AuditEvent) {
  const learning: TransactionWork<void> = async (tx, audit) => {
    if (await learnPkce(tx, id)) audit(event)
  }
  return changePolicy(learning, [{ kind: 'application', id }])
}

function assume(
  { write }: Pick<Op, 'write'>,
  assumed: Parameters<typeof assumeConsent>[1],
  event: AuditEvent,
) {
  return write(async (tx, audit) => {
    const isAssumed = await assumeConsent(tx, assumed)
    if (isAssumed) audit(event)
    return isAssumed
  })
}

function signing({ settings, db, now }: Base) {
  const encryptionKey = deriveKey(settings.secret, 'key encryption')
  const keys = keyRing(signingKeyStore(db), encryptionKey, now)
  return { keys, signingKey: keys.signingKey, publishedKeys: keys.publishedKeys }
}

/** Entries that need no transaction of their own are written in batches. */
function batches({ db, now, log }: Base, append: (batch: DatedEvent[]) => Promise<void>) {
  const audit = auditBatch(append, (error) =>
    log.error({ err: error }, 'audit entries could not be written; they will be tried again'),
  )
  const uses = lastUses(sqlOf(db), (error) =>
    log.error({ err: error }, 'last uses could not be written; they will be tried again'),
  )
  return {
    record: (event: AuditEvent) => audit.add({ at: now(), ...event }),
    recordingMany: audit.withRoom,
    noteUse: (use: CredentialUse) => uses.note({ at: now(), ...use }),
    flush: audit.flush,
    async settled() {
      await audit.settled()
      await uses.flush(false)
    },
    async close() {
      await audit.flush()
      await uses.flush()
      await db.$disconnect()
      log.flush()
    },
  }
}

/** One cache for each list of hosts: what an admin may name, a client may not. */
function keysAtAddresses(settings: Config): Op['remoteKeys'] {
  const known = {
    admin: remoteKeys(outboundHostsFor(settings, 'admin')),
    dynamic: remoteKeys(outboundHostsFor(settings, 'dynamic')),
    metadata_document: remoteKeys(outboundHostsFor(settings, 'metadata_document')),
  }
  return (uri, by) => known[by](uri)
}

function offersOf({ clientRegistration: { mode, documents } }: Settings) {
  return { registration: mode !== 'off', documents }
}

const GUESSES_PER_SECRET = 20
const REFUSALS_RECORDED = 10
/** Of one client from one network. */
const DEVICES_PER_MINUTE = 120
/** Begun in one network: a large office on Monday morning, and no flood. */
const SIGN_INS_PER_MINUTE = 1_200

function limitsOf(counters: CounterStore, settings: CurrentSettings, now: Now): Limits {
  return {
    secretGuesses: guessLimit(counters, 'secret', GUESSES_PER_SECRET, now),
    tokenRequests: rateLimit(
      () => settings.known().security.clientRequestsPerMinute,
      sharedCounts(counters, 'token', BURST_SECONDS * 1000, now),
    ),
    deviceRequests: rateLimit(
      () => DEVICES_PER_MINUTE,
      sharedCounts(counters, 'device', BURST_SECONDS * 1000, now),
    ),
    signInsBegun: rateLimit(
      () => SIGN_INS_PER_MINUTE,
      sharedCounts(counters, 'begin', BURST_SECONDS * 1000, now),
    ),
    refusals: { mayRecord: fewEachMinute(REFUSALS_RECORDED, now) },
    networkOf,
    neighbourhoodOf,
  }
}

async function strongestFactor({ passkeys, totps }: Stores, userId: string): Promise<Acr | null> {
  if (await passkeys.any(userId)) return 'phr'
  return (await totps.anyConfirmed(userId)) ? 'mfa' : null
}

const SHARED = Symbol.for('gatehouse.op')
const shared = globalThis as { [SHARED]?: Promise<Op> }

/** One per process: the Node host and Next.js have separate copies of this module. */
export function op(using?: Connection): Promise<Op> {
  shared[SHARED] ??= createOp(config(), undefined, using).catch(forget)
  return shared[SHARED]
}

/** If the database was not reachable at the first request, the next request tries again. */
function forget(error: unknown): never {
  delete shared[SHARED]
  throw error
}
