import { z } from 'zod'
import type { Check, Subject } from '../../access/check'
import type { Policy } from '../../access/policy'
import {
  actionsAllowed,
  holdingRoles,
  instancesAllowed,
  patternsCovering,
  patternsOf,
  subjectsAllowed,
} from '../../access/search'
import { inTurns } from '../../access/turns'
import type { Op } from '../../context/op'
import { instancesOfRoles, type Source } from '../../store/permissions/assignments'
import { rolesGranting } from '../../store/permissions/grants'
import { isUserId } from '../decision/decision'
import { applicationsHolding, type Position, passOver, START, usersHolding } from '../decision/pass'
import { requireText } from '../http/storable'
import {
  action,
  context,
  evaluationContext,
  read,
  resource,
  subject,
  type,
  withSubject,
} from './question'

/** The searches of AuthZEN. The store finds candidates, and every answer is a check that said yes. */

const PAGE_LIMIT = 100

const page = z
  .object({ token: z.string().max(1_000).optional(), limit: z.number().int().min(1).optional() })
  .optional()
export const subjectSearch = z.object({ subject: type, action, resource, context, page })
export const resourceSearch = z.object({ subject, action, resource: type, context, page })
export const actionSearch = z.object({ subject, resource, context, page })

const foundPage = z.object({ next_token: z.string(), count: z.number() }).optional()
export const entities = z.object({
  page: foundPage,
  results: z.array(z.object({ type: z.string(), id: z.string() })),
})
export const actions = z.object({
  page: foundPage,
  results: z.array(z.object({ name: z.string() })),
})
type Entities = z.infer<typeof entities>
type Actions = z.infer<typeof actions>

export async function searchSubject(op: Op, body: unknown): Promise<Entities> {
  const asked = read(subjectSearch, body)
  const { type } = asked.subject
  if (type !== 'user' && type !== 'client') return { results: [] }
  const limit = Math.min(asked.page?.limit ?? PAGE_LIMIT, PAGE_LIMIT)
  const permission = `${asked.resource.type}:${asked.action.name}`
  const found: Position[] = []
  const look = async (policy: Policy, subjects: readonly Subject[], { source }: Position) => {
    const question = {
      permission,
      instance: asked.resource.id,
      context: (who: Subject) =>
        evaluationContext(op, policy, who, {
          ...asked,
          subject: { ...asked.subject, id: who.id, properties: asked.subject.properties },
        }),
    }
    const allowed = await inTurns(subjectsAllowed(policy, question, subjects))
    found.push(...allowed.map((after) => ({ source, after })))
    return found.length > limit
  }
  const from = positionIn(asked.page?.token)
  const next = await passOver(op, await holdersOf(op, type, permission), from, look)
  const shown = found.slice(0, limit)
  const next_token = tokenOf(found.length > limit ? (shown.at(-1) ?? null) : next)
  const all = shown.map(({ after }) => after)
  const ids = type === 'user' ? await knownAs(op, all) : all
  const results = ids.map((id) => ({ type, id }))
  return { page: { next_token, count: shown.length }, results }
}

/** The identifiers that evaluations accept and callers know: the user name, where there is one. */
async function knownAs(op: Op, ids: readonly string[]): Promise<string[]> {
  const names = await op.users.usernamesOf(ids)
  return ids.map((id) => {
    const name = names.get(id)
    return name !== undefined && !isUserId(name) ? name : id
  })
}

/**
 * Everybody who may hold the permission: by a role that gives it, or by a group with such a role; an
 * application also by a grant of its own.
 */
async function holdersOf(op: Op, type: Subject['kind'], permission: string): Promise<Source[]> {
  const { policy } = await op.snapshot()
  const patterns = patternsCovering(permission)
  const granting = await op.read((db) => rolesGranting(db, patterns))
  const roles = holdingRoles(policy, granting)
  if (type === 'user') {
    return [{ of: 'users', granted: patterns }, ...(await usersHolding(op, roles))]
  }
  return [{ of: 'applications', granted: patterns }, ...applicationsHolding(roles)]
}

function tokenOf(position: Position | null): string {
  return position === null ? '' : toToken(`${position.source} ${position.after}`)
}

function positionIn(token: string | undefined): Position {
  const [source = '', ...after] = fromToken(token).split(' ')
  const at = Number(source)
  return Number.isSafeInteger(at) && at >= 0 ? { source: at, after: after.join(' ') } : START
}

const INSTANCES_AT_ONCE = 200
const SEARCH_MS = 1_500

export async function searchResource(op: Op, body: unknown): Promise<Entities> {
  const asked = read(resourceSearch, body)
  const subjectFound = await withSubject(op, asked.subject)
  if (!subjectFound) return { results: [] }
  const { who, policy } = subjectFound
  const { type } = asked.resource
  const check: Check = {
    subject: who,
    permission: `${type}:${asked.action.name}`,
    instance: null,
    context: evaluationContext(op, policy, who, asked),
  }
  const granting = await op.read((db) => rolesGranting(db, patternsOf(policy, type)))
  const roles = holdingRoles(policy, granting)
  const limit = Math.min(asked.page?.limit ?? PAGE_LIMIT, PAGE_LIMIT)
  const deadline = performance.now() + SEARCH_MS
  const found: string[] = []
  let after: string | null = fromToken(asked.page?.token)
  while (after !== null && found.length <= limit && performance.now() < deadline) {
    const from: string = after
    const some = await op.read((db) => instancesOfRoles(db, roles, from, INSTANCES_AT_ONCE))
    found.push(...(await inTurns(instancesAllowed(policy, check, some))))
    after = some.length < INSTANCES_AT_ONCE ? null : (some.at(-1) ?? null)
  }
  const ids = found.slice(0, limit)
  const last = found.length > limit ? (ids.at(-1) ?? null) : after
  const results = ids.map((id) => ({ type, id }))
  return { page: { next_token: last === null ? '' : toToken(last), count: ids.length }, results }
}

export async function searchAction(op: Op, body: unknown): Promise<Actions> {
  const asked = read(actionSearch, body)
  const found = await withSubject(op, asked.subject)
  if (!found) return { results: [] }
  const { who, policy } = found
  const search = actionsAllowed(policy, asked.resource.type, {
    subject: who,
    instance: asked.resource.id,
    context: evaluationContext(op, policy, who, asked),
  })
  return paged(asked.page, await inTurns(search), (name) => ({ name }))
}

function paged<T>(asked: z.infer<typeof page>, all: string[], toResult: (name: string) => T) {
  const after = fromToken(asked?.token)
  const limit = Math.min(asked?.limit ?? PAGE_LIMIT, PAGE_LIMIT)
  const rest = all.filter((name) => name > after)
  const names = rest.slice(0, limit)
  const next_token = rest.length > limit ? toToken(names.at(-1) ?? '') : ''
  return { page: { next_token, count: names.length }, results: names.map(toResult) }
}

/** The token is only a position: it needs no protection, because the caller may start anywhere. */
function toToken(last: string): string {
  return Buffer.from(last).toString('base64url')
}

function fromToken(token: string | undefined): string {
  const last = token === undefined ? '' : Buffer.from(token, 'base64url').toString('utf8')
  requireText(last)
  return last
}
