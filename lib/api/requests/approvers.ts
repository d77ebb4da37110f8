import { childrenIn, familyOf } from '../../access/hierarchy'
import type { Approver, Context, Policy, RequestStage } from '../../access/policy'
import { approversIn, askedAbout, askerContext } from '../../access/request-rules'
import type { Op, Reader } from '../../context/op'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import { attributeKeys } from '../../settings/model'
import type { AccessRequest } from '../../store/requests/access-requests'
import {
  type Deciders,
  listDeciders,
  listPeople,
  listPeopleById,
  type Requester,
} from '../../store/requests/approvers'

/** Who decides about a request, and whether there is always somebody who can. */

type Owned = { owners: readonly { type: 'user' | 'group'; id: string }[] }

/** `manager`: whom the attributes of the asker name. */
function decidersOf(
  policy: Policy,
  api: Owned | undefined,
  approvers: readonly Approver[],
  managers: readonly string[],
): Deciders {
  const idsOf = (wanted: Approver['type']) =>
    approvers.flatMap((one) => (one.type === wanted && 'id' in one ? [one.id] : []))
  const owners = approvers.some(({ type }) => type === 'api_owners') ? (api?.owners ?? []) : []
  const ownersOf = (wanted: 'user' | 'group') =>
    owners.filter(({ type }) => type === wanted).map(({ id }) => id)
  const roles = idsOf('role')
  return {
    users: [...idsOf('user'), ...ownersOf('user'), ...managers],
    groups: [...idsOf('group'), ...ownersOf('group')],
    roles: roles.length === 0 ? [] : [...familyOf(childrenIn(policy.roles), roles)],
  }
}

function apiOf(policy: Policy, apiId: string) {
  return [...policy.apisByAudience.values()].find(({ id }) => id === apiId)
}

/** The ID of the user whom a text names. */
type IdOf = Op['users']['idOf']

/** An attribute names a user by ID, user name or verified address. */
export async function managersOf(
  idOf: IdOf,
  approvers: readonly Approver[],
  attributes: unknown,
): Promise<string[]> {
  const known = Object(attributes) as Record<string, unknown>
  const named = approvers.flatMap((one) => (one.type === 'manager' ? [known[one.attribute]] : []))
  const ids = await Promise.all(
    named.map((name) => (typeof name === 'string' && name !== '' ? idOf(name) : null)),
  )
  return ids.flatMap((id) => id ?? [])
}

type Asked = Pick<AccessRequest, 'apiId' | 'terms' | 'stage' | 'escalated'>

/** Where they do not depend on who asks. */
export function decidersAnyoneAsks(policy: Policy, request: Asked): Deciders {
  return decidersOf(policy, apiOf(policy, request.apiId), askedAbout(request), [])
}

/** In a snapshot with the asker. */
export function decidersAbout(
  policy: Policy,
  request: Asked & About,
  idOf: IdOf,
): Promise<Deciders> {
  return decidersNamed(policy, request, askedAbout(request), idOf)
}

async function decidersNamed(
  policy: Policy,
  { apiId, userId }: About,
  approvers: readonly Approver[],
  idOf: IdOf,
): Promise<Deciders> {
  const managers = await managersOf(idOf, approvers, policy.users.get(userId)?.attributes)
  return decidersOf(policy, apiOf(policy, apiId), approvers, managers)
}

export const MAX_DECIDERS = 1_000

/** Those who may decide in a stage of a request; never the user who asked. */
export async function decidersIn(op: Op, request: Asked & About): Promise<Finding> {
  return othersIn(op, request, askedAbout(request))
}

/** Reads who they are at that moment; of `among` only. */
export type Finding = (db: Reader, among?: readonly string[]) => Promise<string[]>

type About = Pick<AccessRequest, 'apiId' | 'userId'>

/** Those whom a rule names for what this user asks; never the user. */
export async function othersIn(
  op: Op,
  about: About,
  approvers: readonly Approver[],
): Promise<Finding> {
  const found = await peopleIn(op, about, approvers)
  return async (db, among) => (await found(db, among)).filter((id) => id !== about.userId)
}

export async function peopleIn(
  op: Op,
  about: About,
  approvers: readonly Approver[],
): Promise<Finding> {
  const { policy } = await op.latestSnapshot({ users: [about.userId] })
  const deciders = await decidersNamed(policy, about, approvers, op.users.idOf)
  const most = MAX_DECIDERS
  return (db, among) => listDeciders(db, deciders, op.now(), among ? { among, most } : { most })
}

/** Why somebody is asked: the approvers of the stage that they are. */
export async function becauseOf(
  op: Op,
  request: AccessRequest,
  userId: string,
): Promise<Approver[]> {
  const stage = request.terms.stages[request.stage]
  const found: Approver[] = []
  for (const approver of stage ? approversIn(stage, request.escalated) : []) {
    const only = { ...stage, approvers: [approver], escalateTo: [] } as RequestStage
    const terms = { ...request.terms, stages: request.terms.stages.map(() => only) }
    const deciders = await decidersIn(op, { ...request, terms, escalated: false })
    if ((await op.read((db) => deciders(db, [userId]))).length > 0) found.push(approver)
  }
  return found
}

// ---------------------------------------------------------------- is there always somebody?

type Checked = {
  apiId: string
  stages: readonly RequestStage[]
  /** Those of them who may ask. */
  asking(people: readonly Requester[]): Requester[] | Promise<Requester[]>
  /** Do not look at each user who may ask: a stage that their managers decide may pass. */
  quick?: boolean
}

type UnmetStage = { stage: number; reason: ErrorMessage }

/** The first stage that somebody's request could not pass, with the example. */
export async function unmetStage(
  op: Op,
  policy: Policy,
  checked: Checked,
): Promise<UnmetStage | null> {
  const { stages } = checked
  for (const [at, stage] of stages.entries()) {
    const reason = await unmetBy(op, policy, checked, stage, stages.slice(0, at))
    if (reason) return { stage: at, reason }
  }
  return null
}

async function unmetBy(
  op: Op,
  policy: Policy,
  { apiId, asking, quick = false }: Omit<Checked, 'stages'>,
  { approvers, needed: approvals }: RequestStage,
  before: readonly RequestStage[],
): Promise<ErrorMessage | null> {
  const api = apiOf(policy, apiId)
  const deciders = decidersOf(policy, api, approvers, [])
  const most = [approvals, ...before.map((stage) => stage.needed)].reduce((a, b) => a + b, 1)
  const found = await op.read((db) => listDeciders(db, deciders, op.now(), { most }))
  if (found.length >= most) return null
  // Whoever approves in an earlier stage cannot do it here.
  const used = await Promise.all(
    before.map(async (stage) => {
      const theirs = decidersOf(policy, api, stage.approvers, [])
      const both = { among: found, most: stage.needed }
      return (await op.read((db) => listDeciders(db, theirs, op.now(), both))).length
    }),
  )
  const gone = used.reduce((sum, count) => sum + count, 0)
  const needed = approvals + gone
  if (found.length > needed) return null
  const people = await op.read((db) => listPeopleById(db, found))
  const [asker] = await asking(people)
  if (found.length === needed && !asker) return null
  const manager = managerIn(op, approvers)
  if (manager !== null) {
    if (quick) return null
    return withoutManager(op, manager, asking, needed, new Set(found))
  }
  const name = asker?.name ?? (await anyAsker(op, asking))?.name ?? 'somebody'
  const count = String(Math.max(0, found.length - gone - (asker ? 1 : 0)))
  return errorMessage('too_few_approvers', { count, name, needed: String(approvals) })
}

/** What conditions do not read says nothing about who decides either: users may have written it. */
export function hiddenAttributes(op: Pick<Op, 'settings'>): ReadonlySet<string> {
  return attributeKeys(op.settings.known()).hidden
}

/** The attribute that names the manager of whoever asks; null if none is asked. */
function managerIn(op: Op, approvers: readonly Approver[]): string | null {
  const hidden = hiddenAttributes(op)
  const named = approvers.flatMap((one) => (one.type === 'manager' ? [one.attribute] : []))
  return named.find((attribute) => !hidden.has(attribute)) ?? null
}

async function anyAsker(op: Op, asking: Checked['asking']): Promise<Requester | undefined> {
  return (await asking(await op.read((db) => listPeople(db, '', PAGE))))[0]
}

const PAGE = 500
const MAX_CHECKED = 20_000

/** Each user who may ask needs a manager who can decide. */
async function withoutManager(
  op: Op,
  attribute: string,
  asking: Checked['asking'],
  needed: number,
  others: ReadonlySet<string>,
): Promise<ErrorMessage | null> {
  let seen = 0
  for (let after = '', found = PAGE; found === PAGE; ) {
    const people = await op.read((db) => listPeople(db, after, PAGE))
    for (const asker of await asking(people)) {
      const named = await managersOf(
        op.users.idOf,
        [{ type: 'manager', attribute }],
        asker.attributes,
      )
      const users = named.filter((id) => id !== asker.id)
      const most = { among: users, most: PAGE }
      const bosses = await op.read((db) =>
        listDeciders(db, { users, groups: [], roles: [] }, op.now(), most),
      )
      const all = new Set([...others, ...bosses])
      all.delete(asker.id)
      if (all.size < needed) return errorMessage('manager_missing', { name: asker.name, attribute })
    }
    found = people.length
    after = people.at(-1)?.id ?? ''
    seen += found
    if (seen > MAX_CHECKED) return errorMessage('too_many_askers')
  }
  return null
}

/** What conditions of a rule can read about a user. */
export function userContext(
  op: Pick<Op, 'now'>,
  { id, attributes }: { id: string; attributes: unknown },
): Context {
  const known = Object(attributes) as Record<string, unknown>
  return askerContext(id, known, { request: { time: op.now() } })
}
