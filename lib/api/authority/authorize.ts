import {
  type Authority,
  type Grantor,
  heldThrough,
  type MissingPrivilege,
  missingFor,
  OWN_ACCESS,
  type Privilege,
} from '../../access/authority'
import type { Policy } from '../../access/policy'
import type { Op } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import { apiOwnersOf } from '../../store/permissions/api-owners'
import { listGroupsOf } from '../../store/permissions/groups'
import { type Caller, wantedOf } from '../http/caller'
import { type Call, markAuthorized } from '../http/operation'
import { type FieldProblem, fieldProblem, Problem } from '../http/problem'

/** Asks the rule of authority for a call. A refusal names what is missing and who could do it. */

/**
 * Every operation that changes something calls this first. An empty list of privileges: the change gives
 * nobody anything.
 */
export async function authorize(
  op: Op,
  call: Call,
  privileges: readonly Privilege[],
): Promise<void> {
  markAuthorized(call)
  if (privileges.length === 0) return
  const missing = await missingOf(op, call.caller, privileges)
  if (missing.length > 0) throw await refusal(op, missing)
}

/** What the caller lacks for it; empty if they may give it. */
export async function missingOf(
  op: Op,
  caller: Caller,
  privileges: readonly Privilege[],
): Promise<MissingPrivilege[]> {
  const { policy } = await op.latestSnapshot(wantedOf(caller))
  return missingFor(await authorityOf(op, policy, caller), privileges)
}

async function authorityOf(op: Op, policy: Policy, caller: Caller): Promise<Authority> {
  const { kind, id, adminRole, scopes, through } = caller
  return {
    kind,
    id,
    adminRole,
    inPerson: kind === 'user' && through === null,
    holds(scope) {
      if (!(scopes as ReadonlySet<string>).has(scope)) return null
      if (through === null) return []
      const { application, accessKey } = through
      return heldThrough(policy, { applicationId: application.id, accessKey }, scope)
    },
    ownsApis: kind === 'user' ? await apisOwnedBy(op, policy, id) : new Set(),
  }
}

/** The APIs that a user owns directly or through a group. */
export async function apisOwnedBy(op: Op, policy: Policy, userId: string): Promise<Set<string>> {
  const apis = [...policy.apisByAudience.values()]
  const byGroup = apis.some(({ owners }) => owners.some(({ type }) => type === 'group'))
  const groups = byGroup ? await op.read((db) => listGroupsOf(db, userId)) : []
  const own = new Set([userId, ...groups.map(({ id }) => id)])
  return new Set(apis.filter(({ owners }) => owners.some(({ id }) => own.has(id))).map((a) => a.id))
}

// ---------------------------------------------------------------- refusals

async function refusal(op: Op, missing: readonly MissingPrivilege[]): Promise<Problem> {
  const names = [...new Set(missing.map(({ what }) => what))]
  const couldBeGivenBy = await Promise.all(giversOf(missing).map((giver) => wireOf(op, giver)))
  const who = couldBeGivenBy.map(inWords).join(' or ')
  const reason = names.includes(OWN_ACCESS)
    ? errorMessage('own_permissions')
    : errorMessage('authority', { what: some(names), who })
  const errors = missing.flatMap(({ what, at }): FieldProblem[] =>
    at === null ? [] : [fieldProblem(at, errorMessage('not_yours_to_give', { what }))],
  )
  return new Problem('forbidden', reason, { errors, members: { missing: names, couldBeGivenBy } })
}

const MAX_NAMED = 8

function some(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED
  return names.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/**
 * Those who could give everything that is missing. If nobody below could, an owner of the portal
 * can.
 */
function giversOf(missing: readonly MissingPrivilege[]): Grantor[] {
  const byName = new Map<string, Grantor>()
  const lists = missing.map(({ from }) => new Map(from.map((giver) => [nameOf(giver), giver])))
  for (const list of lists) for (const [name, giver] of list) byName.set(name, giver)
  const common = [...byName].filter(([name]) => lists.every((list) => list.has(name)))
  return common.length > 0 ? common.map(([, giver]) => giver) : [{ role: 'owner' }]
}

function nameOf(giver: Grantor): string {
  return 'role' in giver ? giver.role : `api ${giver.apiOwner}`
}

type GiverWire = { role: string } | { api: string; owners: { type: string; name: string }[] }

async function wireOf(op: Op, giver: Grantor): Promise<GiverWire> {
  if ('role' in giver) return { role: giver.role }
  return { api: giver.apiOwner, owners: await op.read((db) => apiOwnersOf(db, giver.apiOwner)) }
}

function inWords(giver: GiverWire): string {
  if ('role' in giver) return `an ${giver.role}`
  const names = giver.owners.map(({ name }) => name).join(', ')
  return `an owner of the API ${giver.api}${names === '' ? '' : ` (${names})`}`
}
