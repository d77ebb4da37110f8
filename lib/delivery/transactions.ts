import type { OwnApi } from '../access/portal-api'
import { isForWebhooks } from '../base/events'
import type { Op, Transaction, Transactions, TransactionWork } from '../context/op'
import type { AuditEvent } from '../oidc/audit-event'
import { userStore } from '../store/accounts/users'
import { appendAudit, appendAuditBatch, type DatedEvent } from '../store/audit/audit'
import type { Connection, DatabaseKind } from '../store/database/connection'
import { readReplica } from '../store/database/replica'
import {
  inRehearsal,
  inTransaction,
  snapshotOfRehearsal,
  snapshotWithin,
  transact,
} from '../store/policy/one-transaction'
import { bumpPolicyVersion, type Changes } from '../store/policy/policy-version'
import { enqueueWebhooks } from './webhooks/enqueue'

type Needed = {
  db: Connection
  now(): Date
  outboxKey: Buffer
  ownApi: OwnApi
  databaseKind: DatabaseKind
  settings: { databaseUrl: string }
  /** Called after every change that can affect a decision. */
  policyChanged(): void
}

/**
 * Every change is one transaction, with its audit entries and the webhook deliveries about them.
 */
export function transactions(needed: Needed): Omit<Transactions, 'inOneTransaction' | 'rehearse'> {
  const { db, policyChanged } = needed
  const write = <T>(work: TransactionWork<T>) => transact(db, (tx) => audited(needed, tx, work))
  return {
    read: (work) => work(db),
    readReplica: (work) => readReplica(db, work),
    write,
    async changePolicy(work, touched) {
      const result = await write(async (tx, audit) => {
        const done = await work(tx, audit)
        await bumpPolicyVersion(tx, touched)
        return done
      })
      policyChanged()
      return result
    },
  }
}

/** `portal`: the one whose operations are done within a transaction. */
export function withinTransactions(
  needed: Needed,
  portal: () => Op,
): Pick<Transactions, 'inOneTransaction' | 'rehearse'> {
  return {
    inOneTransaction: (work) => inOneTransaction(needed, portal(), work),
    rehearse: (work) => rehearse(needed, portal(), work),
  }
}

/** Many operations in one transaction: each one reads what the previous ones wrote. */
async function inOneTransaction<T>(
  needed: Needed,
  op: Op,
  work: (inside: Op) => Promise<T>,
): Promise<T> {
  const done = await inTransaction(needed.db, (tx) => work(opWithin(needed, op, tx)))
  needed.policyChanged()
  return done
}

function opWithin(needed: Needed, op: Op, tx: Transaction): Op {
  const { ownApi: own, databaseKind: kind } = needed
  const snapshots = snapshotWithin({ db: tx, kind, own })
  return {
    ...op,
    users: userStore(tx),
    snapshot: snapshots.get,
    latestSnapshot: snapshots.get,
    read: (look) => look(tx),
    readReplica: (look) => look(tx),
    write: (work) => audited(needed, tx, work),
    async changePolicy(work, touched) {
      const result = await audited(needed, tx, work)
      await bumpPolicyVersion(tx, touched)
      snapshots.changed()
      return result
    },
  }
}

/** Everything is done and taken back; nothing is recorded, and nobody waits for it. */
function rehearse<T>(
  { db, settings, ownApi: own, databaseKind: kind }: Needed,
  op: Op,
  work: (inside: Op, changed: () => Changes | null) => Promise<T>,
): Promise<T> {
  return inRehearsal(db, settings.databaseUrl, (tx) => {
    const snapshots = snapshotOfRehearsal({ db: tx, kind, own })
    const inside: Op = {
      ...op,
      users: userStore(tx),
      snapshot: snapshots.get,
      latestSnapshot: snapshots.get,
      read: (look) => look(tx),
      readReplica: (look) => look(tx),
      write: (writing) => writing(tx, unrecorded),
      async changePolicy(change, touched) {
        const result = await change(tx, unrecorded)
        snapshots.changed(touched)
        return result
      },
    }
    return work(inside, snapshots.changes)
  })
}

function unrecorded(): void {}

/**
 * Entries that need no transaction of their own. A batch without webhook events, such as every
 * batch of tokens, uses a cheaper statement.
 */
export async function appendBatch(needed: Needed, batch: DatedEvent[]): Promise<void> {
  const { db, outboxKey } = needed
  if (!batch.some(({ event }) => isForWebhooks(event))) {
    return appendAuditBatch(db, batch)
  }
  await transact(db, async (tx) => enqueueWebhooks(tx, outboxKey, await appendAudit(tx, batch)))
}

async function audited<T>(
  { now, outboxKey }: Needed,
  tx: Transaction,
  work: TransactionWork<T>,
): Promise<T> {
  const events: AuditEvent[] = []
  const result = await work(tx, (event) => events.push(event))
  const dated = events.map((event) => ({ at: now(), ...event }))
  await enqueueWebhooks(tx, outboxKey, await appendAudit(tx, dated))
  return result
}
