import {
  type Authority,
  type Gift,
  type Giver,
  heldThrough,
  type Missing,
  missingFor,
  OWN_ACCESS,
} from '../access/authority'
import type { Policy } from '../access/policy'
import type { Op } from '../context/op'
import { mistake } from '../i18n/mistake'
import { apiOwnersOf } from '../store/api-owners'
import { listGroupsOf } from '../store/groups'
import { type Caller, wantedOf } from './caller'
import type { Call } from './operation'
import { type FieldProblem, fieldProblem, Problem } from './problem'

/** Asks the rule of authority for a call. A refusal names what is missing and who could do it. */

type AnyCall = Call<unknown, unknown, unknown>

const asked = new WeakSet<AnyCall>()

export function wasAuthorized(call: AnyCall): boolean {
  return asked.has(call)
}

/**
 * Every operation that changes something calls this first. An empty list of gifts: the change gives
 * nobody anything.
 */
export async function authorize(op: Op, call: AnyCall, gifts: readonly Gift[]): Promise<void> {
  asked.add(call)
  if (gifts.length === 0) return
  const missing = await missingOf(op, call.caller, gifts)
  if (missing.length > 0) throw await refusal(op, missing)
}

/** What the caller lacks for it; empty if they may give it. */
export async function missingOf(
  op: Op,
  caller: Caller,
  gifts: readonly Gift[],
): Promise<Missing[]> {
  const { policy } = await op.latestSnapshot(wantedOf(caller))
  return missingFor(await authorityOf(op, policy, caller), gifts)
}

async function authorityOf(op: Op, policy: Policy, caller: Caller): Promise<Authority> {
  const { kind, id, adminRole, scopes, through } = caller
  return {
    ...{ kind, id, adminRole, inPerson: kind === 'user' && through === null },
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

async function refusal(op: Op, missing: readonly Missing[]): Promise<Problem> {
  const names = [...new Set(missing.map(({ what }) => what))]
  const couldBeGivenBy = await Promise.all(giversOf(missing).map((giver) => wireOf(op, giver)))
  const who = couldBeGivenBy.map(inWords).join(' or ')
  const reason = names.includes(OWN_ACCESS)
    ? mistake('own_permissions')
    : mistake('authority', { what: some(names), who })
  const errors = missing.flatMap(({ what, at }): FieldProblem[] =>
    at === null ? [] : [fieldProblem(at, mistake('not_yours_to_give', { what }))],
  )
  return new Problem('forbidden', reason, { errors, members: { missing: names, couldBeGivenBy } })
}

const MOST_NAMED = 8

function some(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED
  return names.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/**
 * Those who could give everything that is missing. If nobody below could, an owner of the portal
 * can.
 */
function giversOf(missing: readonly Missing[]): Giver[] {
  const byName = new Map<string, Giver>()
  const lists = missing.map(({ from }) => new Map(from.map((giver) => [nameOf(giver), giver])))
  for (const list of lists) for (const [name, giver] of list) byName.set(name, giver)
  const common = [...byName].filter(([name]) => lists.every((list) => list.has(name)))
  return common.length > 0 ? common.map(([, giver]) => giver) : [{ role: 'owner' }]
}

function nameOf(giver: Giver): string {
  return 'role' in giver ? giver.role : `api ${giver.apiOwner}`
}

type GiverWire = { role: string } | { api: string; owners: { type: string; name: string }[] }

async function wireOf(op: Op, giver: Giver): Promise<GiverWire> {
  if ('role' in giver) return { role: giver.role }
  return { api: giver.apiOwner, owners: await op.read((db) => apiOwnersOf(db, giver.apiOwner)) }
}

function inWords(giver: GiverWire): string {
  if ('role' in giver) return `an ${giver.role}`
  const names = giver.owners.map(({ name }) => name).join(', ')
  return `an owner of the API ${giver.api}${names === '' ? '' : ` (${names})`}`
}
