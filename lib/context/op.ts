import type { Incoming } from '../base/http'
import type { Log } from '../base/log'
import type { Metrics } from '../base/metrics'
import type { DerivedKeys } from '../crypto/derived-keys'
import type { KeyRing } from '../keys/key-ring'
import type { AuditEvent } from '../oidc/audit-event'
import type { Provider, Snapshot, WantedSubjects } from '../oidc/provider'
import type { Config } from '../settings/config'
import type { CurrentSettings } from '../settings/current'
import type { Places } from '../settings/places'
import type { ImpersonationStore } from '../store/accounts/impersonations'
import type { LinkStore } from '../store/accounts/links'
import type { PasskeyStore } from '../store/accounts/passkeys'
import type { LeavingSession, Session, SessionStore } from '../store/accounts/sessions'
import type { TotpStore } from '../store/accounts/totp'
import type { UserStore } from '../store/accounts/users'
import type { Activity } from '../store/audit/activity'
import type { DatabaseKind, Reader, Transaction } from '../store/database/connection'
import type { CounterStore } from '../store/database/counters'
import type { IdempotencyStore } from '../store/database/idempotency'
import type { OutboxStore } from '../store/delivery/outbox'
import type { SettingKey } from '../store/delivery/settings'
import type { Demo } from '../store/operations/demo'
import type { MigrationStatus } from '../store/operations/migration-status'
import type { FindTotals } from '../store/operations/totals'
import type { ChangedSubject, Changes } from '../store/policy/policy-version'
import type { Discover } from '../upstream/discovery'

export type { Reader, Transaction } from '../store/database/connection'

/** Everything that the parts of the portal need; `lib/op.ts` composes it. */
export type Op = Omit<Provider, keyof BrowserSessions> &
  DerivedKeys &
  BrowserSessions &
  Transactions &
  Stores & {
    config: Config
    log: Log
    /** Read from the database now; costs a query. */
    latestSnapshot(wanted?: WantedSubjects): Promise<Snapshot>
    meter: Metrics
    settings: CurrentSettings & { has(key: SettingKey): Promise<boolean> }
    keys: KeyRing
    /** Finds the endpoints of a sign-in provider. */
    discover: Discover
    places: Places
    databaseKind: DatabaseKind
    /** For work that records up to so many entries: waits while too many wait to be written. */
    recordingMany<T>(entries: number, work: () => Promise<T>): Promise<T>
    /** Writes the audit entries that wait for their batch. */
    flush(): Promise<void>
    /** Waits until everything that is written in batches is stored. */
    settled(): Promise<void>
    close(): Promise<void>
  }

export type Stores = {
  users: UserStore
  sessions: SessionStore
  impersonations: ImpersonationStore
  links: LinkStore
  counters: CounterStore
  totps: TotpStore
  passkeys: PasskeyStore
  outbox: OutboxStore
  idempotency: IdempotencyStore
  /** Activity of the last days, the oldest first. */
  activity: Activity
  totals: FindTotals
  demo: {
    isLoaded(): Promise<boolean>
    hasForeignData(): Promise<boolean>
    knows(demo: Demo): Promise<boolean>
    /** The IDs of the sample users and applications that can still be used. */
    left(): Promise<string[]>
  }
  health: {
    ping(): Promise<void>
    /** Writes a row: a database that can be read may take no writes. */
    write(): Promise<void>
    migrations(): Promise<MigrationStatus>
    /** The time according to the database. */
    clock(): Promise<Date>
  }
}

type Browser = Pick<Incoming, 'headers'>

export type BrowserSessions = {
  sessionOf(browser: Browser): Promise<Session | null>
  otherSessionsOf(browser: Browser): Promise<HeldSession[]>
  /** The session secrets that a browser holds, whether they are valid or not. */
  heldBy(browser: Browser): Promise<HeldSecrets>
  /** The session of a user whose account is about to be deleted. */
  leavingSessionOf(browser: Browser): Promise<LeavingSession | null>
  endSession: Provider['endSession']
}

/** A browser holds its active session and those of its other accounts. */
export type HeldSecrets = { active: string | null; others: readonly string[] }

/** A session with the secret that the browser holds. */
export type HeldSession = Session & { secret: string }

export type Audit = (event: AuditEvent) => void

/** Audit entries are written in the same transaction. */
export type TransactionWork<T> = (tx: Transaction, audit: Audit) => Promise<T>

export type Transactions = {
  /** Reads that the stores of the protocol do not offer. */
  read<T>(work: (db: Reader) => Promise<T>): Promise<T>
  /**
   * For lists and reports, never for a decision: from the replica of the database, if there is one
   * that has everything.
   */
  readReplica<T>(work: (db: Reader) => Promise<T>): Promise<T>
  write<T>(work: TransactionWork<T>): Promise<T>
  /**
   * A `write` that can change a decision: it raises the policy version, which this process sees at
   * once.
   */
  changePolicy<T>(work: TransactionWork<T>, touched?: readonly ChangedSubject[]): Promise<T>
  /** Everything that `work` does with its `Op` is committed together, or not at all. */
  inOneTransaction<T>(work: (inside: Op) => Promise<T>): Promise<T>
  /**
   * Everything that `work` does with its `Op` is taken back, and holds up no sign-in. `changed`: what
   * it has changed so far; null if that could be anything.
   */
  rehearse<T>(work: (inside: Op, changed: () => Changes | null) => Promise<T>): Promise<T>
}
