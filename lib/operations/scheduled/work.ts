import { deleteDueAccounts } from '../../accounts/delete-account'
import { recordLapsed } from '../../accounts/impersonation'
import { HOUR_MS, SECOND_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { emptyOutbox } from '../../delivery/deliver'
import { cleanUp } from '../../store/operations/clean-up'
import { removeOldAccessRequests, settleOverdue } from './access-requests'
import { removeOldAudit } from './audit-retention'
import { removeOldBases } from './decision-retention'
import { remindReviewers, settleMissedReviews } from './emergency-reviews'
import type { MayGoOn } from './look-for'
import { announcePeriods } from './periods'
import { removeOldAccessReviews, settleReviews } from './reviews'
import { removeUnusedClients } from './unused-clients'

/** Background work: by timers in the Node host, otherwise by a scheduler. */

type Work = {
  everyMs: number
  /** The log message if it fails; it is tried again next time. */
  complaint: string
  /** Returns how much was done. */
  run(op: Op, mayGoOn: MayGoOn): Promise<number>
}

/** Named by what they count. Several server processes may run them at the same time. */
const works = {
  delivered: { everyMs: SECOND_MS, complaint: 'the outbox could not be read', run: emptyOutbox },
  periodsAnnounced: {
    everyMs: 5 * SECOND_MS,
    complaint: 'the beginnings and ends of grants could not be announced; they will be later',
    run: announcePeriods,
  },
  requestsSettled: {
    everyMs: 5 * SECOND_MS,
    complaint: 'the deadlines of access requests could not be checked; they will be later',
    run: settleOverdue,
  },
  reviewsMissed: {
    everyMs: 5 * SECOND_MS,
    complaint: 'the deadlines of reviews could not be checked; they will be later',
    run: settleMissedReviews,
  },
  reviewersReminded: {
    everyMs: 30 * SECOND_MS,
    complaint: 'the reviewers of emergency access could not be reminded; they will be later',
    run: remindReviewers,
  },
  requestsRemoved: {
    everyMs: HOUR_MS,
    complaint: 'old access requests could not be removed; they will be tried again',
    run: removeOldAccessRequests,
  },
  reviewsSettled: {
    everyMs: 10 * SECOND_MS,
    complaint: 'the deadlines of access reviews could not be checked; they will be later',
    run: settleReviews,
  },
  reviewsRemoved: {
    everyMs: HOUR_MS,
    complaint: 'old access reviews could not be removed; they will be tried again',
    run: removeOldAccessReviews,
  },
  impersonationsEnded: {
    everyMs: 30 * SECOND_MS,
    complaint: 'the ends of impersonations could not be recorded; they will be later',
    run: recordLapsed,
  },
  accountsErased: {
    everyMs: HOUR_MS,
    complaint: 'accounts could not be deleted; they will be tried again',
    run: deleteDueAccounts,
  },
  keysPublished: {
    everyMs: HOUR_MS,
    complaint: 'the signing keys could not be updated',
    // Reading the keys creates, stages, activates and retires them.
    run: async ({ publishedKeys }) => (await publishedKeys()).length,
  },
  rowsRemoved: {
    everyMs: HOUR_MS,
    complaint: 'expired data could not be removed',
    run: (op, mayGoOn) => op.read((db) => cleanUp(db, op.databaseKind, op.now(), mayGoOn)),
  },
  clientsExpired: {
    everyMs: HOUR_MS,
    complaint: 'unused clients could not be removed; they will be tried again',
    run: removeUnusedClients,
  },
  auditRemoved: {
    everyMs: HOUR_MS,
    complaint: 'old entries of the audit log could not be removed; they will be tried again',
    run: removeOldAudit,
  },
  decisionsRemoved: {
    everyMs: HOUR_MS,
    complaint: 'old decisions could not be removed; they will be tried again',
    run: removeOldBases,
  },
} satisfies Record<string, Work>

type WorkDone = { [name in keyof typeof works]?: number }

/** Runs every task once, one after the other; a failure does not stop the others. */
export async function workOnce(
  op: Op,
  mayGoOn: MayGoOn,
): Promise<{ done: WorkDone; failed: string[] }> {
  const done: Record<string, number> = {}
  const failed: string[] = []
  for (const [name, work] of Object.entries<Work>(works)) {
    try {
      done[name] = await work.run(op, mayGoOn)
    } catch (error) {
      op.log.error({ err: error }, work.complaint)
      failed.push(name)
    }
  }
  return { done, failed }
}

/** Runs each task at once and then at its interval; returns a function that stops them. */
export function startWorking(op: Op): () => Promise<void> {
  const stops = Object.values<Work>(works).map((work) => keepDoing(op, work))
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

function keepDoing(op: Op, { everyMs, complaint, run }: Work): () => Promise<void> {
  let stopped = false
  const once = () =>
    stopped
      ? Promise.resolve(0)
      : run(op, () => !stopped).catch((error) => op.log.warn({ err: error }, complaint))
  let working: Promise<unknown> = once()
  const timer = setInterval(() => {
    working = working.then(once)
  }, everyMs)
  timer.unref()
  return async () => {
    stopped = true
    clearInterval(timer)
    await working
  }
}
