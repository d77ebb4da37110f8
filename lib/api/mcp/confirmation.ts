import type { Op } from '../../context/op'
import { newId, sha256 } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import type { AuditEvent } from '../../oidc/audit-event'
import {
  answerPendingChange,
  consumePendingChange,
  countUnanswered,
  findPendingChange,
  forgetPendingChange,
  insertPendingChange,
  listUnanswered,
  type PendingChange,
} from '../../store/accounts/pending-changes'
import { addressesOf, namesOf } from '../../store/database/names'
import { type Caller, scopesOf } from '../http/caller'
import { Problem } from '../http/problem'
import type { Arguments } from './input'
import type { Tool } from './tools'

/**
 * A change of an agent is confirmed by the user whom it acts for, on a page of the portal: the
 * agent has a token and no session, so it cannot answer for the user. A confirmation is for exactly
 * these arguments, for the policy that the user saw, and for one call.
 */

const CONFIRM_MS = 10 * 60 * 1000
const MAX_UNANSWERED = 20
/** Characters of all arguments of a change. */
const MAX_LENGTH = 32_768

export const CHANGES_PATH = '/account/changes'

export type UnconfirmedChange = { confirmed: false; url: string; expiresAt: Date }
type ConfirmationState = { confirmed: true } | UnconfirmedChange

/** Null if there is nothing to wait for: the user was not asked yet, or has confirmed. */
export async function unansweredFor(
  op: Op,
  caller: Caller,
  tool: Tool,
  given: Arguments,
): Promise<UnconfirmedChange | null> {
  const { found } = await preparedChange(op, caller, tool, given)
  return found?.confirmed === null ? waiting(op, found) : null
}

async function preparedChange(op: Op, caller: Caller, tool: Tool, given: Arguments) {
  if (caller.kind !== 'user' || !caller.through) {
    throw new Problem('forbidden', errorMessage('confirmation_no_person'))
  }
  const { clientId, application } = caller.through
  const digest = digestOf(clientId, tool, given)
  const found = await op.read((db) => findPendingChange(db, { digest }, caller.id, op.now()))
  if (found?.confirmed === false)
    throw new Problem('forbidden', errorMessage('confirmation_declined'))
  return { found, digest, applicationId: application.id }
}

/** Uses the confirmation up, or says where the user can give it. */
export async function confirmationFor(
  op: Op,
  caller: Caller,
  tool: Tool,
  given: Arguments,
): Promise<ConfirmationState> {
  const { found, digest, applicationId } = await preparedChange(op, caller, tool, given)
  if (!found) return asked(op, caller.id, applicationId, tool, given, digest)
  if (found.confirmed === null) return waiting(op, found)
  const version = await presentPolicy(op)
  const used = await op.write((tx) => consumePendingChange(tx, found.id, version, op.now()))
  if (used) return { confirmed: true }
  await op.write((tx) => forgetPendingChange(tx, found.id, op.now()))
  return asked(op, caller.id, applicationId, tool, given, digest)
}

async function asked(
  op: Op,
  userId: string,
  applicationId: string,
  { name: tool }: Tool,
  given: Arguments,
  digest: string,
): Promise<ConfirmationState> {
  if (JSON.stringify(given).length > MAX_LENGTH) {
    throw new Problem('too_large', 'nobody can read so many arguments: make several small changes')
  }
  const createdAt = op.now()
  const expiresAt = new Date(createdAt.getTime() + CONFIRM_MS)
  const change = { id: newId('chg'), userId, applicationId, tool, createdAt, expiresAt }
  await op.write(async (tx) => {
    if ((await countUnanswered(tx, userId, createdAt)) >= MAX_UNANSWERED) throw tooMany()
    await insertPendingChange(tx, { ...change, digest, arguments: given })
  })
  return waiting(op, change)
}

function tooMany(): Problem {
  return new Problem('slow_down', 'too many changes wait for the user: answer those first', {
    headers: { 'Retry-After': String(CONFIRM_MS / 1000) },
  })
}

function waiting(
  op: Op,
  { id, expiresAt }: Pick<PendingChange, 'id' | 'expiresAt'>,
): UnconfirmedChange {
  return { confirmed: false, url: `${op.origin}${CHANGES_PATH}/${id}`, expiresAt }
}

/** The same call gives the same digest, whatever the order of its members. */
export function digestOf(clientId: string, { name }: Pick<Tool, 'name'>, given: Arguments): string {
  return sha256(JSON.stringify([clientId, name, sorted(given)]))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]))
}

// ---------------------------------------------------------------- the user's answer

/** Null if there is nothing that this user could answer. */
export function changeFor(op: Op, userId: string, id: string): Promise<PendingChange | null> {
  return op.read((db) => findPendingChange(db, { id }, userId, op.now()))
}

/** Those that wait for this user's answer. */
export function changesWaitingFor(op: Op, userId: string): Promise<PendingChange[]> {
  return op.read((db) => listUnanswered(db, userId, op.now()))
}

/** Names for the IDs in its arguments, as far as this admin may read them. */
export async function namesIn(
  op: Op,
  change: PendingChange,
  adminRole: Caller['adminRole'],
): Promise<ReadonlyMap<string, string>> {
  const ids = textsIn(change.arguments)
  const may = scopesOf(adminRole)
  const [names, addresses] = await op.read((db) =>
    Promise.all([
      namesOf(db, {
        ...(may.has('users:read') && { users: ids, groups: ids }),
        ...(may.has('roles:read') && { roles: ids }),
        ...(may.has('applications:read') && { applications: ids }),
      }),
      addressesOf(db, may.has('users:read') ? ids : []),
    ]),
  )
  // Users choose their names, and several may have the same one.
  const withAddress = (id: string, name: string) => {
    const address = addresses.get(id) ?? name
    return address === name ? name : `${name} (${address})`
  }
  return new Map([...names].map(([id, name]) => [id, withAddress(id, name)]))
}

/** All texts in it, however deep. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

export type { PendingChange } from '../../store/accounts/pending-changes'

/** `policyVersion`: of the policy that the user saw. */
type Answer = { confirmed: boolean; policyVersion: number }

/**
 * False if it was answered or used before, has expired, or is not the user's; also if the policy is
 * no longer the one that the user saw, so that they look again.
 */
export async function answerChange(
  op: Op,
  change: PendingChange,
  answer: Answer,
  ip: string | null,
): Promise<boolean> {
  const { confirmed, policyVersion } = answer
  if (confirmed && policyVersion !== (await presentPolicy(op))) return false
  return op.write(async (tx, audit) => {
    const counted = await answerPendingChange(tx, change.id, change.userId, answer, op.now())
    if (counted) audit(entryOf(change, confirmed, ip))
    return counted
  })
}

export async function presentPolicy(op: Op): Promise<number> {
  return (await op.latestSnapshot()).version
}

function entryOf(change: PendingChange, confirmed: boolean, ip: string | null): AuditEvent {
  return {
    event: confirmed ? 'change.confirmed' : 'change.declined',
    result: 'success',
    actorKind: 'user',
    actorId: change.userId,
    targetKind: 'user',
    targetId: change.userId,
    applicationId: change.applicationId,
    ip,
    detail: { tool: change.tool, arguments: change.arguments },
  }
}
